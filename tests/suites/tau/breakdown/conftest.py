from tests.suites.tau.tau2.conftest import tiny

__all__ = ["tiny"]
