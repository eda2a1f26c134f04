"""The evidence of a failed trial, and the class that it makes."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from trialkit.dialogue import RESPOND, Action, End, Output
from trialkit.suites.tau.common.database import same
from trialkit.suites.tau.common.domain import TRANSFER, Domain
from trialkit.suites.tau.common.score import Score
from trialkit.suites.tau.common.tasks import Task
from trialkit.text.json import JsonObject
from trialkit.text.short import shown

from .user import last_words, left_in_the_middle
from .writes import Evidence, compare_writes

#: So often has the same call to be made before it is called a loop.
_LOOP = 3
#: The ends that are never scored; what is wrong with the database then may be only that it was not finished.
UNSCORED_ENDS: tuple[End, ...] = ("agent_error", "user_error", "too_many_errors", "judge_stop", "max_steps")
#: The first of these for which there is evidence is the class. An act explains more than an omission, and the end of
#: the conversation explains what was omitted. A loop comes first if it is why the conversation ran out of steps, and a
#: user who left in the middle comes before the writes that are missing for it.
CLASSES = (
    *UNSCORED_ENDS,
    "wrong_tool",
    "wrong_arguments",
    "extra_write",
    "premature_transfer",
    "missing_write",
    "wrong_order",
    "missing_transfer",
    "output_not_said",
    "action_not_made",
    "assertion_failed",
    "invalid_calls",
    "loop",
    "user_ended",
    "unexplained",
)
_shown = partial(shown, limit=80)
_OMISSIONS = frozenset({"missing_write", "missing_transfer", "output_not_said"})


def explain(domain: Domain, task: Task, output: Output, score: Score | None) -> JsonObject:
    """`output` is what a failed trial left, `score` what it earned; None: it was never scored.

    JSON: `class`, `summary`, and `evidence`, a list of objects that each have a `kind`, which is one of CLASSES.
    """
    actions: Sequence[Action] = output["actions"]
    if score is None:
        score = domain.score(task, actions)
    evidence = [
        *_end(output),
        *_transfer(task, output),
        *compare_writes(domain, task, output, score),
        *_checks(score),
        *_invalid_calls(output),
        *_loops(actions),
    ]
    evidence += _user_ended(output, evidence)
    chosen = _class(evidence)
    return {"class": chosen, "summary": _summary(chosen, evidence), "evidence": evidence}


def _class(evidence: Sequence[Evidence]) -> str:
    kinds = {item["kind"] for item in evidence}
    if "loop" in kinds and kinds & {"max_steps", "too_many_errors", "judge_stop"}:
        return "loop"
    first = next((name for name in CLASSES if name in kinds), "unexplained")
    left = any(item["kind"] == "user_ended" and item["in_the_middle"] for item in evidence)
    return "user_ended" if left and first == "missing_write" else first


def _end(output: Output) -> Iterator[Evidence]:
    if output["end"] in UNSCORED_ENDS:
        yield {"kind": output["end"], "steps": output["steps"]}


def _checks(score: Score) -> Iterator[Evidence]:
    """What counts beside the database. Only tau2 asks for calls by themselves and for assertions."""
    if "COMMUNICATE" in score.basis:
        for wanted in score.why.missing_outputs:
            yield {"kind": "output_not_said", "output": wanted}
    if "ACTION" in score.basis:
        for gold in score.why.unmatched_actions:
            by_user: Evidence = {"by": "user"} if gold.requestor == "user" else {}
            yield {"kind": "action_not_made", "tool": gold.name, "arguments": dict(gold.arguments), **by_user}
    if "ENV_ASSERTION" in score.basis:
        for one in score.why.failed_assertions:
            yield {"kind": "assertion_failed", "assertion": one.text, "by": "environment"}
    if "NL_ASSERTION" in score.basis and score.parts["NL_ASSERTION"] == 0.0:
        yield {"kind": "assertion_failed", "assertion": "in plain language", "by": "judge"}


def _transfer(task: Task, output: Output) -> Iterator[Evidence]:
    """A transfer that the ground truth does not have, or has and that never came."""
    wanted = any(action["name"] == TRANSFER for action in task.actions)
    steps = zip(output["action_steps"], output["actions"], strict=True)
    found = next(((step, action) for step, action in steps if action["name"] == TRANSFER), None)
    if wanted and found is None:
        yield {"kind": "missing_transfer"}
    if not wanted and found is not None:
        yield {"kind": "premature_transfer", "step": found[0], "arguments": found[1]["kwargs"]}


def _invalid_calls(output: Output) -> Iterator[Evidence]:
    calls: list[Evidence] = [
        {"step": step, "tool": action["name"], "arguments": action["kwargs"], "observation": observation}
        for step, action, observation in zip(
            output["action_steps"], output["actions"], output["observations"], strict=True
        )
        if action["name"] != RESPOND and is_error(observation)
    ]
    # A call whose arguments cannot be read is not among the actions: the notes alone tell of it.
    calls += [
        {"step": note["step"], "rule": note["rule"], "detail": note["detail"]}
        for note in output["notes"]
        if note["rule"] == "invalid_arguments"
    ]
    if calls:
        in_order = sorted(calls, key=lambda call: int(call["step"]))
        yield {"kind": "invalid_calls", "count": len(calls), "calls": in_order}


def is_error(observation: str) -> bool:
    """Whether the environment refused a call: a tool that says no, a wrong argument, an unknown tool."""
    return observation.startswith(("Error", "Unknown action"))


def _loops(actions: Sequence[Action]) -> Iterator[Evidence]:
    times = Counter(
        json.dumps([action["name"], action["kwargs"], action.get("by")], sort_keys=True) for action in actions
    )
    for text, count in times.items():
        if count >= _LOOP:
            name, kwargs, by = json.loads(text)
            by_user: Evidence = {"by": "user"} if by == "user" else {}
            yield {"kind": "loop", "tool": name, "arguments": kwargs, "times": count, **by_user}


def _user_ended(output: Output, evidence: Sequence[Evidence]) -> Iterator[Evidence]:
    """The user stopped although something was left to do."""
    if output["end"] == "user_stop" and any(item["kind"] in _OMISSIONS for item in evidence):
        yield {"kind": "user_ended", "said": last_words(output), "in_the_middle": left_in_the_middle(output)}


def _summary(chosen: str, evidence: Sequence[Evidence]) -> str:
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
    return f"{_call(item)} was not done{_by(item)}{tried}"


def _wrong_arguments(item: Evidence) -> str:
    parts = (_difference(one["argument"], one["expected"], one["found"]) for one in item["differences"])
    return f"{item['tool']} was called{_by(item)} with {'; '.join(parts)}"


def _by(item: Evidence) -> str:
    return " by the user" if item.get("by") == "user" else ""


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
    "wrong_tool": lambda item: f"{item['found_tool']} was used{_by(item)} where {item['expected_tool']} belongs",
    "wrong_arguments": _wrong_arguments,
    "extra_write": lambda item: f"{_call(item)}{_by(item)} was not asked for",
    "premature_transfer": lambda _: "The user was transferred to a human, which the ground truth does not do",
    "missing_write": _missing_write,
    "wrong_order": lambda item: f"Every write was made, but to another effect: {_shown(item['rows'])} differ",
    "missing_transfer": lambda _: "The user was not transferred to a human",
    "output_not_said": lambda item: f"The agent never said {_shown(item['output'])}",
    "action_not_made": lambda item: f"{_call(item)} was not called{_by(item)}",
    "assertion_failed": lambda item: f"An assertion does not hold: {_shown(item['assertion'])}",
    "invalid_calls": lambda item: f"Calls were refused: {item['count']}, the first at step {item['calls'][0]['step']}",
    "loop": lambda item: f"{_call(item)} was repeated{_by(item)} {item['times']} times",
    "user_ended": lambda item: f"The user agreed and left before anything could be done: {_shown(item['said'])}",
}
