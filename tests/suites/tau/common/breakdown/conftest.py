from tests.suites.tau.v2.conftest import tiny

__all__ = ["tiny"]
