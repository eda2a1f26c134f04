from tests.e2e.conftest import trialkit

__all__ = ["trialkit"]
