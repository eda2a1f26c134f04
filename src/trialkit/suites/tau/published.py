"""Results that others published, for the leaderboard table. Facts only; where they come from is told with each."""

from dataclasses import dataclass
from typing import Final

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


def _readme(strategy: str, *passes: float) -> Published:
    return Published(strategy=strategy, passes=passes, source=_README)


def _fastworkflow(model: str, *passes: float) -> Published:
    return Published(strategy=f"FastWorkflow ({model})", passes=passes, source=_FASTWORKFLOW, user="GPT-5")


def _leaderboard(model: str, *passes: float) -> Published:
    return Published(strategy=model, passes=passes, source=_LEADERBOARD, user="gpt-5.2")


#: By suite, the best first.
PUBLISHED = {
    "tau-bench/retail": (
        _fastworkflow("Claude Opus 4.1", 0.9217),
        _fastworkflow("Claude Sonnet 4", 0.913),
        _fastworkflow("GPT-OSS-20B", 0.8347, 0.714, 0.53),
        _fastworkflow("Mistral-7B", 0.7043),
        _readme("TC (claude-3-5-sonnet-20241022)", 0.692, 0.576, 0.509, 0.462),
        _readme("TC (claude-3-5-sonnet-20240620)", 0.626, 0.506, 0.435, 0.387),
        _readme("TC (gpt-4o)", 0.604, 0.491, 0.430, 0.383),
        _fastworkflow("Qwen3-14B", 0.4347),
        _fastworkflow("Qwen3-4B", 0.3391),
    ),
    "tau-bench/airline": (
        _fastworkflow("Claude Sonnet 4", 0.84),
        _fastworkflow("Claude Opus 4.1", 0.80),
        _fastworkflow("GPT-OSS-20B", 0.78),
        _fastworkflow("Mistral-7B", 0.60),
        _fastworkflow("Qwen3-14B", 0.54),
        _readme("TC (claude-3-5-sonnet-20241022)", 0.460, 0.326, 0.263, 0.225),
        _readme("TC (gpt-4o)", 0.420, 0.273, 0.220, 0.200),
        _readme("Act (gpt-4o)", 0.365, 0.217, 0.160, 0.140),
        _readme("TC (claude-3-5-sonnet-20240620)", 0.360, 0.224, 0.169, 0.139),
        _readme("ReAct (gpt-4o)", 0.325, 0.233, 0.185, 0.160),
        _fastworkflow("Qwen3-4B", 0.32),
        _readme("TC (gpt-4o-mini)", 0.225, 0.140, 0.110, 0.100),
    ),
    "tau2/retail": (
        _leaderboard("Qwen3.5-397B-A17B", 0.844, 0.744, 0.665, 0.597),
        _leaderboard("GPT-5.2", 0.816, 0.696, 0.599, 0.518),
        _leaderboard("Claude Opus 4.5", 0.796, 0.674, 0.588, 0.518),
        _leaderboard("Gemini 3 Flash", 0.768, 0.659, 0.579, 0.518),
        _leaderboard("Claude Sonnet 4.5", 0.724, 0.575, 0.474, 0.395),
    ),
    "tau2/airline": (),
}
