"""Our wire formats against the types of the providers' own SDKs, of the dependency group `sdks`."""
