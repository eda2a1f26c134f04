"""How a tool is called: any name and any arguments in, an observation out. And the tools that both domains have."""

import inspect
from collections.abc import Callable, Mapping
from types import ModuleType

from trialkit.suites.tau.common.calculator import evaluate
from trialkit.suites.tau.common.database import View, copied

#: Takes the trial's view and the call's arguments by name; answers the observation or raises.
ToolBody = Callable[..., str]

#: Of nesting in a call's arguments; below a row's own limit, for they may become part of one.
_MAX_LEVELS = 100


class Refused(Exception):  # noqa: N818 - an ordinary answer of a tool, not a fault
    """The tool says no; the message becomes the observation."""


class Toolbox:
    """The tools of a domain by name, called as the reference calls its own."""

    def __init__(self, *modules: ModuleType) -> None:
        """Every public function of the modules is a tool."""
        self._tools: dict[str, ToolBody] = {
            name: tool
            for module in modules
            for name, tool in vars(module).items()
            if inspect.isfunction(tool) and tool.__module__ == module.__name__ and not name.startswith("_")
        }
        self._parameters = {name: tuple(inspect.signature(tool).parameters)[1:] for name, tool in self._tools.items()}

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._tools)

    def call(self, view: View, name: object, kwargs: object) -> str:
        """The observation; whatever goes wrong in the call is one too, for a model may write anything."""
        if not isinstance(name, str) or name not in self._tools:
            return f"Unknown action {name}"
        if not isinstance(kwargs, Mapping):
            return f"Error: the arguments are {type(kwargs).__name__} where an object belongs"
        try:
            # The copy keeps what a tool stores apart from what the caller holds.
            arguments = copied(dict(kwargs), _MAX_LEVELS)
            self._match(name, arguments)
            return self._tools[name](view, **arguments)
        except Exception as error:  # noqa: BLE001 - the reference answers every exception with its text
            return f"Error: {error}"

    def _match(self, name: str, arguments: Mapping[str, object]) -> None:
        """Refuses arguments that do not fit, in the words Python has for the reference's tool classes."""
        wanted = self._parameters[name]
        invoke = f"{''.join(map(str.capitalize, name.split('_')))}.invoke()"
        for given in arguments:
            if given not in wanted:
                raise Refused(f"{invoke} got an unexpected keyword argument '{given}'")
        missing = [f"'{parameter}'" for parameter in wanted if parameter not in arguments]
        if missing:
            raise Refused(f"{invoke} missing {len(missing)} required positional argument{_listed(missing)}")


def _listed(names: list[str]) -> str:
    if len(names) == 1:
        return f": {names[0]}"
    comma = "," if len(names) > 2 else ""
    return f"s: {', '.join(names[:-1])}{comma} and {names[-1]}"


def calculate(_view: View, expression: str) -> str:
    if not all(character in "0123456789+-*/(). " for character in expression):
        raise Refused("invalid characters in expression")
    if not isinstance(expression, str):
        raise TypeError("eval() arg 1 must be a string, bytes or code object")
    return str(round(float(evaluate(expression)), 2))


def think(_view: View, thought: str) -> str:  # noqa: ARG001 - the model writes it for itself
    return ""


def transfer_to_human_agents(_view: View, summary: str) -> str:  # noqa: ARG001 - nobody reads it here
    return "Transfer successful"
