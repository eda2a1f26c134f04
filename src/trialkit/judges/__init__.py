"""Judges that any suite can use."""

from .model_judge import Asker, ModelJudge, quoted
from .replies import read_said

__all__ = ["Asker", "ModelJudge", "quoted", "read_said"]
