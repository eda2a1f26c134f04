"""A task: what the user wants, and the ground truth that says when it was done. tau2 has more to its tasks."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypedDict, cast

from trialkit.dialogue import Action, By
from trialkit.errors import InputError
from trialkit.text.json import JsonObject
from trialkit.text.short import shortened

_TITLE = 80
#: What a reward may be made of, in tau2's words; tau-bench knows DB and COMMUNICATE.
Basis = Literal["DB", "ENV_ASSERTION", "NL_ASSERTION", "ACTION", "COMMUNICATE"]
#: Who calls, in tau2's words.
Requestor = Literal["assistant", "user"]
#: The same in ours.
BY: Mapping[Requestor, By] = {"assistant": "agent", "user": "user"}
REQUESTOR: Mapping[By, Requestor] = {by: requestor for requestor, by in BY.items()}


class RequestedCall(TypedDict):
    """A call as tau2 writes it."""

    requestor: Requestor
    name: str
    kwargs: JsonObject


def as_action(call: Action | RequestedCall) -> Action:
    """In our own words, where a call of the agent's does not say whose it is."""
    if "requestor" not in call:
        return call
    requestor = cast("RequestedCall", call)["requestor"]
    if requestor not in BY:
        raise InputError(f"{call['name']}: requestor {requestor!r}; it is {' or '.join(BY)}")
    action = Action(name=call["name"], kwargs=call["kwargs"])
    return action if requestor == "assistant" else {**action, "by": "user"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Instructions:
    """What the user wants, part by part."""

    domain: str
    reason_for_call: str
    task_instructions: str
    known_info: str | None = None
    unknown_info: str | None = None

    def text(self) -> str:
        parts = {
            "Why you call": self.reason_for_call,
            "What you know": self.known_info,
            "What you do not know": self.unknown_info,
            "How you go about it": self.task_instructions,
        }
        return "\n\n".join(f"{heading}: {part}" for heading, part in parts.items() if part)


@dataclass(frozen=True, kw_only=True, slots=True)
class UserScenario:
    instructions: Instructions | str
    persona: str | None = None

    def text(self) -> str:
        wish = self.instructions if isinstance(self.instructions, str) else self.instructions.text()
        return f"Who you are: {self.persona}\n\n{wish}" if self.persona else wish


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldAction:
    """A call of the ground truth. `compare_args` are the arguments that count; None: those of the agent's call."""

    action_id: str
    name: str
    arguments: Mapping[str, object]
    requestor: Requestor = "assistant"
    compare_args: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class EnvCall:
    """A function of the environment, called by the benchmark itself."""

    env_type: Requestor
    func_name: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, kw_only=True, slots=True)
class EnvAssertion(EnvCall):
    assert_value: bool = True
    message: str | None = None

    @property
    def text(self) -> str:
        """What is asserted, in the task's own words where it has some."""
        given = ", ".join(f"{name}={value}" for name, value in self.arguments.items())
        return self.message or f"{'' if self.assert_value else 'not '}{self.func_name}({given})"


@dataclass(frozen=True, kw_only=True, slots=True)
class InitialData:
    """What is laid over the database before the conversation: table → key → the parts of the row that differ."""

    agent_data: Mapping[str, Mapping[str, Any]] | None = None
    user_data: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryCall:
    name: str
    arguments: Mapping[str, object]
    id: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryMessage:
    """A message of a conversation that is already under way; a `tool` message answers the call with its id."""

    role: Literal["system", "assistant", "user", "tool"]
    content: str | None = None
    id: str | None = None
    tool_calls: tuple[HistoryCall, ...] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class InitialState:
    initialization_data: InitialData | None = None
    initialization_actions: tuple[EnvCall, ...] | None = None
    message_history: tuple[HistoryMessage, ...] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Criteria:
    """Against what a conversation is held; the reward is the product over `reward_basis`."""

    actions: tuple[GoldAction, ...] | None = None
    communicate_info: tuple[str, ...] | None = None
    env_assertions: tuple[EnvAssertion, ...] | None = None
    nl_assertions: tuple[str, ...] | None = None
    reward_basis: tuple[Basis, ...] = ("DB", "COMMUNICATE")


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    id: str
    split: str  # the list that it was taken from
    instruction: str
    actions: tuple[Action, ...]
    outputs: tuple[str, ...]  # strings that the agent has to say
    user_id: str | None = None  # None where the benchmark does not name the user apart from the instruction
    splits: tuple[str, ...] = ()  # tau2: all that it is on
    scenario: UserScenario | None = None  # tau2's tasks have one, tau-bench's have none
    initial_state: InitialState | None = None
    criteria: Criteria | None = None  # None in tau2: nothing is asked, every conversation that ends earns the reward

    @property
    def gold(self) -> tuple[GoldAction, ...]:
        return (self.criteria.actions if self.criteria else None) or ()

    @property
    def history(self) -> tuple[HistoryMessage, ...]:
        return (self.initial_state.message_history if self.initial_state else None) or ()

    @property
    def counts_assertions(self) -> bool:
        """Whether the reward depends on natural-language assertions, which only a model can judge."""
        criteria = self.criteria
        return criteria is not None and "NL_ASSERTION" in criteria.reward_basis and bool(criteria.nl_assertions)

    @property
    def title(self) -> str:
        return shortened(self.instruction, _TITLE) or f"task {self.id}"

    def asked(self) -> dict[str, object]:
        """What is asked, and the truth as far as both benchmarks have it."""
        return {
            "user_id": self.user_id,
            "instruction": self.instruction,
            "actions": list(self.actions),
            "outputs": list(self.outputs),
        }

    def to_data(self) -> dict[str, object]:
        """All that decides about a trial of it."""
        data = asdict(self)
        if self.scenario is None:
            for name in ("splits", "scenario", "initial_state", "criteria"):
                del data[name]
        return data


@dataclass(frozen=True, kw_only=True, slots=True)
class Malformed:
    """What stands in a split where a task belongs, and why it is none."""

    id: str
    why: str
