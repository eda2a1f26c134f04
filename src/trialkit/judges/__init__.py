"""Judges that any suite can use."""

from .findings import FINDINGS, SaidFinding, check_each_once, read_findings, read_words
from .model_judge import Asker, ModelJudge, quoted
from .replies import read_said

__all__ = [
    "FINDINGS",
    "Asker",
    "ModelJudge",
    "SaidFinding",
    "check_each_once",
    "quoted",
    "read_findings",
    "read_said",
    "read_words",
]
