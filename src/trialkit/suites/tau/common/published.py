"""Results that others published, for the leaderboard table. Facts only; where they come from is told with each."""

from dataclasses import dataclass
from typing import Final

#: In a run's versions: the file that it was imported from. What such a run tells was recorded, not measured here.
IMPORTED_FROM: Final = "imported from"

_README: Final = "tau-bench README"
_FASTWORKFLOW: Final = "FastWorkflow paper"
_LEADERBOARD: Final = "tau2 leaderboard"


@dataclass(frozen=True, kw_only=True, slots=True)
class Published:
    """One row: pass^1, pass^2 ... as far as they were told."""

    strategy: str
    passes: tuple[float, ...]
    source: str
    user: str | None = None  # the model that played the user, where that was told
    remark: str = ""  # what is known of the row besides
    content: str = ""  # which tasks it is of, where there are several versions: `tau2@1.0.1`


def readme(strategy: str, *passes: float) -> Published:
    return Published(strategy=strategy, passes=passes, source=_README)


def fastworkflow(model: str, *passes: float, remark: str = "") -> Published:
    strategy = f"FastWorkflow ({model})"
    return Published(strategy=strategy, passes=passes, source=_FASTWORKFLOW, user="GPT-5", remark=remark)


def leaderboard(model: str, *passes: float) -> Published:
    return Published(strategy=model, passes=passes, source=_LEADERBOARD, user="gpt-5.2", content="tau2@1.0.1")
