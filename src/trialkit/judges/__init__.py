"""Judges that any suite can use."""

from .model_judge import Asker, ModelJudge
from .replies import read_said

__all__ = ["Asker", "ModelJudge", "read_said"]
