"""Why a trial failed, from its output alone: all the evidence, one primary class, one sentence. No model is asked."""

from .explain import CLASSES, UNSCORED_ENDS, explain, is_error

__all__ = ["CLASSES", "UNSCORED_ENDS", "explain", "is_error"]
