"""The tools of a suite in a file: functions of Python's, those of an MCP server, and schemas without one."""

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_core import to_jsonable_python

from trialkit.code import load_module, load_object
from trialkit.errors import InputError
from trialkit.models import Tool
from trialkit.text.json import JsonObject, dump, items, members, read_json
from trialkit.text.short import shown
from trialkit.text.template import CaseCells, columns_in, fill_value, written

from .mcp_tools import MCP, McpTool, read_mcp_tools

_KEYS = {"name", "description", "parameters", "input_schema", "inputSchema", "result", "type", "strict"}
_NO_PARAMETERS: JsonObject = {"type": "object", "properties": {}}


class SuiteTool(Protocol):
    tool: Tool
    ends: bool  # whether the call itself is the answer: nothing comes back

    async def call(self, arguments: Mapping[str, Any], row: CaseCells) -> str:
        """What begins with `Error:` is a call that failed."""


class SchemaTool:
    """Told by its JSON schema alone. With a `result` it answers that; without, a call of it ends the trial."""

    def __init__(self, written_as: JsonObject) -> None:
        said = members(written_as.get("function")) or written_as
        name, unknown = said.get("name"), sorted(said.keys() - _KEYS)
        if not isinstance(name, str) or not name:
            raise InputError(f"a tool needs a name; found {shown(written_as)}")
        if unknown:
            raise InputError(
                f"tool {name}: there is no key {shown(unknown[0])}; known: name, description, parameters, result"
            )
        schema = said.get("parameters") or said.get("input_schema") or said.get("inputSchema") or _NO_PARAMETERS
        if not isinstance(schema, dict) or schema.get("type") != "object":
            raise InputError(f"tool {name}: `parameters:` must be the JSON schema of an object: {{type: object, …}}")
        self.result = said.get("result")
        self.ends = "result" not in said
        self.tool = Tool(name=name, description=str(said.get("description", "")), parameters=schema)

    async def call(self, arguments: Mapping[str, Any], row: CaseCells) -> str:  # noqa: ARG002 - all alike
        return "" if self.ends else written(fill_value(self.result, row))


class FunctionTool:
    """A function with types; its parameters become the schema, its docstring the description."""

    ends = False

    def __init__(self, function: Callable[..., Any], where: str) -> None:
        self._function = function
        try:
            hints = get_type_hints(function, include_extras=True)
            fields: Any = {  # by names of our own: a model has attributes that parameters may be called like
                f"argument_{number}": (
                    hints.get(name, Any),
                    Field(... if one.default is inspect.Parameter.empty else one.default, alias=name),
                )
                for number, (name, one) in enumerate(_parameters(function, where).items())
            }
            self._arguments = create_model(function.__name__, __base__=_Arguments, **fields)
            schema = without_titles(self._arguments.model_json_schema())
        except (TypeError, NameError, ValueError, RuntimeError) as error:  # types that are none, or have no schema
            raise InputError(f"{where}: {function.__name__} has parameters that no tool can have: {error}") from None
        description = inspect.cleandoc(function.__doc__ or "")
        self.tool = Tool(name=function.__name__, description=description, parameters=schema)

    async def call(self, arguments: Mapping[str, Any], row: CaseCells) -> str:  # noqa: ARG002 - as the protocol has it
        try:
            read = self._arguments.model_validate(dict(arguments))
        except ValidationError as error:
            return f"Error: {_first(error)}"
        given = {field.alias or name: getattr(read, name) for name, field in type(read).model_fields.items()}
        try:
            if inspect.iscoroutinefunction(self._function):
                found = await self._function(**given)
            else:
                found = await asyncio.to_thread(self._function, **given)
        except ValueError as error:  # how a tool refuses; anything else is a fault of its own, which ends the trial
            return f"Error: {error}"
        return found if isinstance(found, str) else dump(to_jsonable_python(found))

    def of(self, instance: object) -> "FunctionTool":
        """The same method of that object."""
        found = copy(self)
        vars(found)["_function"] = getattr(instance, self.tool.name)
        return found


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


def read_tools(listed: str | Sequence[str | JsonObject], folder: Path) -> list[str | JsonObject]:
    """As the run file keeps them: what a JSON file holds or a server tells, and functions by their names."""
    found = list[str | JsonObject]()
    for one in [listed] if isinstance(listed, str) else listed:
        if isinstance(one, str) and one.startswith(MCP):
            found += read_mcp_tools(one.removeprefix(MCP), folder)
        elif isinstance(one, str) and one.endswith(".json"):
            said = read_json(folder / one)
            found += items(said if isinstance(said, list) else [said])
        elif isinstance(one, str) and one.endswith(".py"):
            module = load_module(one, "tools", folder)
            found += [f"{one}:{name}" for name in _functions(module, one)]
        else:
            found.append(one)
    return found


def open_tools(listed: Sequence[str | JsonObject], folder: Path) -> list[SuiteTool]:
    """InputError where one cannot be had, or two have one name."""
    tools = [_tool(one, folder) for one in listed]
    names = [one.tool.name for one in tools]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two tools are called {twice[0]}; give each a name of its own")
    return tools


def tool_columns(listed: Sequence[str | JsonObject]) -> set[str]:
    """The columns of the cases that results are written with."""
    return set().union(*(columns_in(one.get("result")) for one in listed if isinstance(one, dict)))


def _tool(one: str | JsonObject, folder: Path) -> SuiteTool:
    if not isinstance(one, str):
        return McpTool(one) if "mcp" in one else SchemaTool(one)
    found = load_object(one, "tools", folder)
    if not inspect.isfunction(found):
        raise InputError(f"tools: {one} is no function")
    return FunctionTool(found, f"tools: {one}")


def _functions(module: ModuleType, file: str) -> list[str]:
    """The public ones that are written in it, not imported."""
    names = [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    ]
    if not names:
        raise InputError(f"tools: {file} has no functions; write one for each tool")
    return names


def _parameters(function: Callable[..., Any], where: str) -> Mapping[str, inspect.Parameter]:
    found = inspect.signature(function).parameters
    loose = [one.name for one in found.values() if one.kind not in {one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY}]
    if loose:
        raise InputError(f"{where}: {loose[0]} is no parameter with a name; a tool's parameters all have one")
    return found


def without_titles(schema: Any) -> Any:
    """Without the titles that pydantic makes of the names."""
    if isinstance(schema, dict):
        return {
            key: _each(part) if key == "properties" else without_titles(part)
            for key, part in schema.items()
            if key != "title" or not isinstance(part, str)
        }
    return [without_titles(part) for part in schema] if isinstance(schema, list) else schema


def _each(properties: JsonObject) -> JsonObject:
    """One of them may be called title."""
    return {name: without_titles(one) for name, one in properties.items()}


def _first(error: ValidationError) -> str:
    one = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, one['loc']))}: {one['msg']} (found {shown(one['input'])})"
