"""Why a trial failed, from its output alone: all the evidence, one primary class, one sentence. No model is asked."""

from .explain import CLASSES, LOOP, UNSCORED_ENDS, explain, is_error

__all__ = ["CLASSES", "LOOP", "UNSCORED_ENDS", "explain", "is_error"]
