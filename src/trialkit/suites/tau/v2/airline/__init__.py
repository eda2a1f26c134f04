"""tau2's airline: what its database holds and what its tools do to it."""
