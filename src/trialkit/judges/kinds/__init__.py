"""Ready-made judges, for suites in a file: a table of kinds."""

from collections.abc import Mapping

from .attempt import Attempt, NamedCall, ToolUse, transcript_of
from .called import ToolCallKind
from .data import JsonKind
from .kind import JudgeKind, JudgePrompt, KindSettings, NamedJudge, Solution
from .label import LabelKind
from .limits import CostKind, LatencyKind
from .model import ModelKind
from .number import NumberKind
from .own import OwnKind
from .regex import RegexKind
from .state import StateKind
from .texts import ContainsKind, EqualsKind, OneOfKind

_ALL = (
    EqualsKind,
    OneOfKind,
    ContainsKind,
    RegexKind,
    NumberKind,
    JsonKind,
    ToolCallKind,
    StateKind,
    LabelKind,
    OwnKind,
    ModelKind,
    CostKind,
    LatencyKind,
)
KINDS: Mapping[str, JudgeKind] = {kind.name: kind() for kind in _ALL}

__all__ = [
    "KINDS",
    "Attempt",
    "JudgeKind",
    "JudgePrompt",
    "KindSettings",
    "NamedCall",
    "NamedJudge",
    "Solution",
    "StateKind",
    "ToolUse",
    "transcript_of",
]
