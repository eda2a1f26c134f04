from tests.suites.files.here import here

__all__ = ["here"]
