"""What a conversation earned under tau2's rules, and why: one part for each basis, the reward their product."""

from collections.abc import Iterator, Sequence

from trialkit.dialogue import RESPOND, Action
from trialkit.suites.tau.common.database import Tables
from trialkit.suites.tau.common.domain import TauEnvironment
from trialkit.suites.tau.common.score import Score, Truth, Why, row_differences, unsaid
from trialkit.suites.tau.common.tasks import EnvAssertion, GoldAction, Task


def judge(task: Task, truth: Truth, tables: Tables, environment: TauEnvironment, actions: Sequence[Action]) -> Score:
    """`environment` is as the conversation left it, `actions` are what the parties did and said in it."""
    criteria = task.criteria
    if criteria is None:
        return Score(basis=(), parts={}, why=Why())
    # With neither actions nor assertions there is nothing to hold the database against.
    state_counts = criteria.actions is not None or criteria.env_assertions is not None
    rows = tuple(row_differences(tables, truth.changes, environment.left())) if state_counts else ()
    missing = unsaid(task.outputs, _texts(task, actions))
    unmatched = tuple(_unmatched(task, actions))
    failed, undecided = _asserted(environment, criteria.env_assertions or ())
    assertions = criteria.nl_assertions or ()
    return Score(
        basis=criteria.reward_basis,
        parts={
            "DB": float(not rows),
            "ENV_ASSERTION": 0.0 if failed else None if undecided else 1.0,
            "NL_ASSERTION": None if assertions else 1.0,
            "ACTION": float(not unmatched),
            "COMMUNICATE": float(not missing),
        },
        pending=assertions if "NL_ASSERTION" in criteria.reward_basis else (),
        why=Why(
            rows=rows,
            missing_outputs=missing,
            unmatched_actions=unmatched,
            failed_assertions=failed,
            undecided=undecided,
            problems=truth.problems,
        ),
    )


def _texts(task: Task, actions: Sequence[Action]) -> Iterator[str]:
    """What the agent said."""
    for text in (
        *(message.content for message in task.history if message.role == "assistant"),
        *(action["kwargs"].get("content") for action in actions if action["name"] == RESPOND),
    ):
        if isinstance(text, str) and text.strip():
            yield text


def _unmatched(task: Task, actions: Sequence[Action]) -> Iterator[GoldAction]:
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
    environment: TauEnvironment, assertions: Sequence[EnvAssertion]
) -> tuple[tuple[EnvAssertion, ...], tuple[str, ...]]:
    """Those that fail, and why the others could not be decided."""
    failed, undecided = [], []
    for assertion in assertions:
        try:
            if not environment.holds(assertion):
                failed.append(assertion)
        except Exception as error:  # noqa: BLE001 - an environment function can fail in any way
            undecided.append(f"{assertion.func_name}: {error}")
    return tuple(failed), tuple(undecided)
