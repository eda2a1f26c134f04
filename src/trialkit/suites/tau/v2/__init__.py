"""tau2: its content, read; our own tools over it; its evaluation. A domain is a folder that names a `Tau2Suite`."""

from .suite import Tau2Suite
from .toolkit import Argument, Toolkit

__all__ = ["Argument", "Tau2Suite", "Toolkit"]
