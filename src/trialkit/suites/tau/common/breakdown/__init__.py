"""Why a trial failed, from its output alone: all the evidence, one primary class, one sentence. No model is asked."""

from trialkit.suites.tau.common.breakdown.explain import CLASSES, LOOP, TRANSFER, UNSCORED_ENDS, explain, is_error

__all__ = ["CLASSES", "LOOP", "TRANSFER", "UNSCORED_ENDS", "explain", "is_error"]
