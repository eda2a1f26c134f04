"""What a conversation earned under tau2's rules, and why: one part for each basis, the reward their product."""

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trialkit.dialogue import RESPOND, Action
from trialkit.suites.tau.common.database import Row, Tables, same
from trialkit.suites.tau.common.types import RowDifference, Score, Why
from trialkit.suites.tau.v2.session import Tau2Session
from trialkit.suites.tau.v2.tasks import Basis, EnvAssertion, GoldAction, Tau2Task

Changes = Mapping[str, Mapping[str, Row]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Truth:
    """What a task's ground truth leaves behind, and which of its actions fail on the way; those are skipped."""

    task: Tau2Task
    changes: Changes
    problems: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Tau2Why(Why):
    unmatched_actions: tuple[GoldAction, ...] = ()
    failed_assertions: tuple[EnvAssertion, ...] = ()
    #: Assertions about the environment that it cannot answer, with the reason.
    undecided: tuple[str, ...] = ()
    #: What is off in the ground truth itself.
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Tau2Score(Score):
    """`parts` has every basis, counted or not, None where undecided; while one is, `reward` is the most it can be."""

    basis: tuple[Basis, ...]
    parts: Mapping[Basis, float | None]
    #: Natural-language assertions that count and wait for a model's judgement.
    pending: tuple[str, ...]
    why: Tau2Why

    @property
    def decided(self) -> bool:
        return all(self.parts[basis] is not None for basis in self.basis)

    def judged(self, met: Sequence[bool]) -> "Tau2Score":
        """The score after the pending assertions were judged, in their order."""
        if len(met) != len(self.pending):
            raise ValueError(f"{len(met)} judgements for {len(self.pending)} pending assertions")
        parts: Mapping[Basis, float | None] = {**self.parts, "NL_ASSERTION": float(all(met))}
        return dataclasses.replace(self, parts=parts, pending=(), reward=_product(self.basis, parts))


def judge(task: Tau2Task, truth: Truth, tables: Tables, session: Tau2Session, actions: Sequence[Action]) -> Tau2Score:
    """`session` is as the conversation left it, `actions` are what the agent did and said in it."""
    criteria = task.criteria
    if criteria is None:
        return Tau2Score(reward=1.0, r_actions=None, r_outputs=None, basis=(), parts={}, pending=(), why=Tau2Why())
    # With neither actions nor assertions there is nothing to hold the database against.
    state_counts = criteria.actions is not None or criteria.env_assertions is not None
    rows = tuple(_differences(tables, truth.changes, session.changed())) if state_counts else ()
    unsaid = tuple(_unsaid(task, actions))
    unmatched = tuple(_unmatched(task, actions))
    failed, undecided = _asserted(session, criteria.env_assertions or ())
    assertions = criteria.nl_assertions or ()
    parts: dict[Basis, float | None] = {
        "DB": float(not rows),
        "ENV_ASSERTION": 0.0 if failed else None if undecided else 1.0,
        "NL_ASSERTION": None if assertions else 1.0,
        "ACTION": float(not unmatched),
        "COMMUNICATE": float(not unsaid),
    }
    basis = criteria.reward_basis
    return Tau2Score(
        reward=_product(basis, parts),
        r_actions=parts["DB"] if "DB" in basis else None,
        r_outputs=parts["COMMUNICATE"] if "COMMUNICATE" in basis else None,
        basis=basis,
        parts=parts,
        pending=assertions if "NL_ASSERTION" in basis else (),
        why=Tau2Why(
            rows=rows,
            missing_outputs=unsaid,
            unmatched_actions=unmatched,
            failed_assertions=failed,
            undecided=undecided,
            problems=truth.problems,
        ),
    )


def _product(basis: Sequence[Basis], parts: Mapping[Basis, float | None]) -> float:
    return math.prod(value for name in basis if (value := parts[name]) is not None) * 1.0


def _differences(tables: Tables, expected: Changes, found: Changes) -> Iterator[RowDifference]:
    """A row that one side did not touch is, on that side, as in the pristine database."""
    for table, base in tables.items():
        ours, theirs = found.get(table, {}), expected.get(table, {})
        for key in sorted(theirs.keys() | ours.keys()):
            want, have = theirs.get(key, base.get(key)), ours.get(key, base.get(key))
            if not same(want, have):
                yield RowDifference(table=table, key=key, expected=want, found=have)


def _unsaid(task: Tau2Task, actions: Sequence[Action]) -> Iterator[str]:
    """Commas are taken out of what the agent said, never out of what it had to say."""
    said = [action["kwargs"].get("content") for action in actions if action["name"] == RESPOND]
    texts = [
        text.lower().replace(",", "")
        for text in (*(message.content for message in task.history if message.role == "assistant"), *said)
        if isinstance(text, str) and text.strip()
    ]
    for wanted in task.outputs:
        if not any(wanted.lower() in text for text in texts):
            yield wanted


def _unmatched(task: Tau2Task, actions: Sequence[Action]) -> Iterator[GoldAction]:
    """The gold actions that are not among the calls; order and number do not matter."""
    calls = [
        Action(name=call.name, kwargs=dict(call.arguments))
        for message in task.history
        for call in message.tool_calls or ()
    ]
    calls += [action for action in actions if action["name"] != RESPOND]
    for gold in task.gold:
        if not any(_matches(gold, call) for call in calls):
            yield gold


def _matches(gold: GoldAction, call: Action) -> bool:
    """By the arguments that count; if the task names none, by those of the call, which may leave some out."""
    if gold.name != call["name"]:
        return False
    counting = call["kwargs"].keys() if gold.compare_args is None else set(gold.compare_args)
    given = {name: value for name, value in call["kwargs"].items() if name in counting}
    return given == {name: value for name, value in gold.arguments.items() if name in counting}


def _asserted(
    session: Tau2Session, assertions: Sequence[EnvAssertion]
) -> tuple[tuple[EnvAssertion, ...], tuple[str, ...]]:
    """Those that fail, and why the others could not be decided."""
    failed, undecided = [], []
    for assertion in assertions:
        try:
            if not session.holds(assertion):
                failed.append(assertion)
        except Exception as error:  # noqa: BLE001 - an environment function can fail in any way
            undecided.append(f"{assertion.func_name}: {error}")
    return tuple(failed), tuple(undecided)
