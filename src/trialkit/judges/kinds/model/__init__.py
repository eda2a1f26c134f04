"""The judge that is a model."""

from .kind import ModelKind

__all__ = ["ModelKind"]
