from tests.suites.tau.tau2.conftest import tau2_home, tiny

__all__ = ["tau2_home", "tiny"]
