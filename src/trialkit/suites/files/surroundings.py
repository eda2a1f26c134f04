"""The environment of a conversation in a file: a Python class, of which each trial has an object of its own."""

import inspect
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from types import MethodType
from typing import Any

from pydantic_core import PydanticSerializationError, to_jsonable_python

from trialkit.code import load_module, load_object
from trialkit.errors import InputError
from trialkit.judges.kinds import NamedCall
from trialkit.text.short import shown
from trialkit.text.template import CaseCells

from .tools import FunctionTool

#: Of the class: the tools that are the user's, and what the state is, where it is not simply all attributes.
_FOR_USER, _STATE = "for_user", "state"


class Surroundings:
    """One trial's environment: what tools do, and the state that they leave."""

    def __init__(self, made: Any, tools: Sequence[FunctionTool]) -> None:
        self._made = made
        self.tools = tools

    def state(self) -> Any:
        """As JSON data. InputError where it is none."""
        own = getattr(self._made, _STATE, None)
        found = own() if callable(own) else own
        if found is None:
            found = {name: value for name, value in vars(self._made).items() if not name.startswith("_")}
        try:
            return to_jsonable_python(found)
        except (PydanticSerializationError, ValueError) as error:
            raise InputError(f"environment: the state is no JSON data: {error}; give it as `{_STATE}`") from None


class EnvironmentClass:
    """The class itself. `named`: FILE.py, FILE.py:CLASS or MODULE:CLASS."""

    def __init__(self, named: str, folder: Path) -> None:
        found = _only_class(named, folder) if named.endswith(".py") else load_object(named, "environment", folder)
        if not inspect.isclass(found):
            raise InputError(f"environment: {named} is no class but {shown(found)}; its methods are the tools")
        self._class = found
        self._named = named
        self._takes_case = _takes_case(found, named)
        self._tools = [FunctionTool(MethodType(one, object()), f"environment: {named}") for one in _methods(found)]
        if not self._tools:
            raise InputError(f"environment: {found.__name__} has no methods; write one for each tool")
        self.for_user = frozenset(map(str, getattr(found, _FOR_USER, ())))
        if unknown := sorted(self.for_user - self.names):
            raise InputError(f"environment: `{_FOR_USER}` of {found.__name__} names {unknown[0]}, which is no method")

    @property
    def names(self) -> set[str]:
        return {one.tool.name for one in self._tools}

    @property
    def for_agent(self) -> Sequence[FunctionTool]:
        """As they are told; nobody can call them yet."""
        return [one for one in self._tools if one.tool.name not in self.for_user]

    def open(self, case: CaseCells) -> Surroundings:
        """For one trial. What stands in the class itself is copied, so that no trial sees what another did."""
        made = self._class.__new__(self._class)
        for name, value in _data(self._class).items():
            setattr(made, name, deepcopy(value))
        try:
            self._class.__init__(made, *([deepcopy(dict(case))] if self._takes_case else []))
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            raise InputError(f"environment: {self._named} cannot be made for this case: {told}") from error
        return Surroundings(made, [one.of(made) for one in self._tools])

    async def reach(self, case: CaseCells, calls: Sequence[NamedCall]) -> Any:
        """The state that these calls lead to. InputError where one of them fails."""
        world = self.open(case)
        tools = {one.tool.name: one for one in world.tools}
        for name, arguments in calls:
            if name not in tools:
                raise InputError(f"there is no tool {name}; the environment has {', '.join(sorted(tools))}")
            answer = await tools[name].call(arguments, case)
            if answer.startswith("Error:"):
                raise InputError(f"the call {name}({shown(arguments)}), which is to be right, fails: {answer}")
        return world.state()


def _only_class(named: str, folder: Path) -> type:
    module = load_module(named, "environment", folder)
    own = {
        name: value
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }
    if len(own) != 1:
        names = f"it has {', '.join(own)}" if own else "it has none"
        raise InputError(f"environment: {named} must have one class, and {names}; name one: {named}:NAME")
    return next(iter(own.values()))


def _takes_case(found: type, named: str) -> bool:
    """Whether an object is made with the case's row."""
    if found.__init__ is object.__init__:  # type: ignore[misc]  # it has none of its own
        return False
    parameters = list(inspect.signature(found).parameters.values())
    needed = [one for one in parameters if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    if len(needed) > 1:
        raise InputError(
            f"environment: {named} is made with {', '.join(one.name for one in needed)}; it is given the case alone"
        )
    return bool(needed)


def _members(found: type) -> Mapping[str, Any]:
    """Public ones, in the order in which they are written; a base's come first."""
    members: dict[str, Any] = {}
    for base in reversed(found.__mro__[:-1]):
        members |= {name: value for name, value in vars(base).items() if not name.startswith("_")}
    return members


def _methods(found: type) -> Sequence[Any]:
    return [one for name, one in _members(found).items() if inspect.isfunction(one) and name != _STATE]


def _data(found: type) -> Mapping[str, Any]:
    members = _members(found).items()
    return {name: value for name, value in members if isinstance(value, (dict, list, set)) and name != _FOR_USER}
