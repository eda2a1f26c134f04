"""tau2's retail shop: what its database holds and what its tools do to it."""
