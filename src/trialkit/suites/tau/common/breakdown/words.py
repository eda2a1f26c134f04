"""A breakdown in one sentence."""

from collections.abc import Callable, Sequence
from functools import partial

from trialkit.suites.tau.common.database import same
from trialkit.text.short import shown

from .writes import Evidence

_shown = partial(shown, limit=80)


def summary(chosen: str, evidence: Sequence[Evidence]) -> str:
    """What the primary class stands for in this trial."""
    mine = [item for item in evidence if item["kind"] == chosen]
    if not mine:
        return "Nothing in the trial's output explains the failure."
    more = f" (and {len(mine) - 1} more of the kind)" if len(mine) > 1 else ""
    return f"{_SENTENCES[chosen](mine[0])}{more}."


def _call(item: Evidence) -> str:
    return f"{item['tool']}({', '.join(f'{name}={_shown(value)}' for name, value in item['arguments'].items())})"


def _missing_write(item: Evidence) -> str:
    tried = f"; it was tried, but answered {_shown(item['observation'])}" if "observation" in item else ""
    return f"{_call(item)} was not done{tried}"


def _wrong_arguments(item: Evidence) -> str:
    parts = (_difference(one["argument"], one["expected"], one["found"]) for one in item["differences"])
    return f"{item['tool']} was called with {'; '.join(parts)}"


def _difference(name: str, expected: object, found: object) -> str:
    """Goes down to the one part that differs, so that two long values do not look alike."""
    parts: dict[object, tuple[object, object]] = {}
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        parts = {key: (one, found[key]) for key, one in expected.items()}
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        parts = {place: (one, found[place]) for place, one in enumerate(expected)}
    differing = {place: pair for place, pair in parts.items() if not same(*pair)}
    if len(differing) == 1:
        ((place, (one, other)),) = differing.items()
        return _difference(f"{name}[{place}]", one, other)
    return f"{name} {_shown(found)}, not {_shown(expected)}"


_SENTENCES: dict[str, Callable[[Evidence], str]] = {
    "agent_error": lambda item: f"The agent failed after {item['steps']} steps",
    "user_error": lambda item: f"The simulated user failed after {item['steps']} steps of the agent",
    "too_many_errors": lambda item: f"Too many calls failed: the conversation was stopped after {item['steps']} steps",
    "judge_stop": lambda item: f"tau2's judge stopped the conversation after {item['steps']} steps",
    "max_steps": lambda item: f"The conversation did not end within {item['steps']} steps",
    "wrong_tool": lambda item: f"{item['found_tool']} was used where {item['expected_tool']} belongs",
    "wrong_arguments": _wrong_arguments,
    "extra_write": lambda item: f"{_call(item)} was not asked for",
    "premature_transfer": lambda _: "The user was transferred to a human, which the ground truth does not do",
    "missing_write": _missing_write,
    "wrong_order": lambda item: f"Every write was made, but to another effect: {_shown(item['rows'])} differ",
    "missing_transfer": lambda _: "The user was not transferred to a human",
    "output_not_said": lambda item: f"The agent never said {_shown(item['output'])}",
    "action_not_made": lambda item: f"{_call(item)} was not called",
    "assertion_failed": lambda item: f"An assertion does not hold: {_shown(item['assertion'])}",
    "invalid_calls": lambda item: f"Calls were refused: {item['count']}, the first at step {item['calls'][0]['step']}",
    "loop": lambda item: f"{_call(item)} was repeated {item['times']} times",
    "user_ended": lambda item: f"The user agreed and left before anything could be done: {_shown(item['said'])}",
}
