"""The tools as models see them: OpenAI function schemas from the signatures and docstrings of tau2's `tools.py`."""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError, create_model

from trialkit.errors import InputError
from trialkit.suites.tau.common.domain import ToolSchema

from .annotations import Annotations, literal, parsed

_SECTION = re.compile(
    r"^(Args|Arguments|Parameters|Params|Attributes|Examples?|Raises|Except|Exceptions|Returns?|Yields?):[ \t]*$",
    re.MULTILINE,
)
_ARGUMENTS = {"Args", "Arguments", "Parameters", "Params"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, kw_only=True, slots=True)
class DescribedTool:
    schema: ToolSchema
    parameters: type[BaseModel]

    def complaints(self, arguments: Mapping[str, object]) -> list[str]:
        """What is wrong with a call's arguments, one phrase each."""
        unknown = [f"unknown argument {name!r}" for name in arguments if name not in self.parameters.model_fields]
        try:
            self.parameters.model_validate(dict(arguments))
        except ValidationError as error:
            return unknown + [f"argument {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
        return unknown


def read_tools(tools: Path, *models: Path) -> dict[str, DescribedTool]:
    """Every method that `@is_tool` marks, by name, in the order of the file. No file is executed."""
    annotations = Annotations([*models, tools])
    found = {node.name: _tool(node, annotations, tools) for node in _marked(parsed(tools))}
    if not found:
        raise InputError(f"{tools}: no method is marked with @is_tool, so there are no tools to show to a model")
    return found


def _marked(module: ast.Module) -> Iterator[_Function]:
    for kind in module.body:
        if isinstance(kind, ast.ClassDef):
            for node in kind.body:
                if isinstance(node, _Function) and any(_is_mark(mark) for mark in node.decorator_list):
                    yield node


def _is_mark(node: ast.expr) -> bool:
    name = node.func if isinstance(node, ast.Call) else node
    return isinstance(name, ast.Name) and name.id == "is_tool"


def _tool(node: _Function, annotations: Annotations, file: Path) -> DescribedTool:
    doc = read_docstring(ast.get_docstring(node, clean=False))
    fields: dict[str, Any] = {}
    for argument, default in _arguments(node):
        kind = annotations.type_of(argument.annotation, file) if argument.annotation else Any
        value = ... if default is None else literal(default, file)
        # Without a word in the docstring a description that comes with the type stays.
        description = doc.arguments.get(argument.arg)
        fields[argument.arg] = kind, Field(value, description=description) if description else value
    parameters = create_model("parameters", **fields)
    return DescribedTool(
        schema={
            "type": "function",
            "function": {
                "name": node.name,
                "description": doc.description or node.name,
                "parameters": parameters.model_json_schema(),
            },
        },
        parameters=parameters,
    )


def _arguments(node: _Function) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """The arguments after `self`, each with its default."""
    positional = [*node.args.posonlyargs, *node.args.args][1:]
    bare = len(positional) - len(node.args.defaults)
    yield from ((argument, None) for argument in positional[:bare])
    yield from zip(positional[bare:], node.args.defaults, strict=True)
    yield from zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Docstring:
    #: The first line, and after an empty line whatever stands before the first section; as tau2 shows it to models.
    description: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)


def read_docstring(text: str | None) -> Docstring:
    # split() with a group gives the text before the first heading, then heading and body in turn.
    head, *sections = _SECTION.split(inspect.cleandoc(text or ""))
    first, _, rest = head.strip().partition("\n")
    arguments: dict[str, str] = {}
    for heading, body in zip(sections[::2], sections[1::2], strict=True):
        if heading in _ARGUMENTS:
            arguments.update(_entries(body))
    return Docstring(description="\n\n".join(filter(None, (first, rest.strip()))), arguments=arguments)


def _entries(body: str) -> Iterator[tuple[str, str]]:
    """`name: meaning`, or `name (type): meaning`; lines that are indented further belong to the entry above them."""
    for entry in re.split(r"\n(?=\S)", inspect.cleandoc(body)):
        before, colon, meaning = entry.partition(":")
        if colon:
            first, _, rest = meaning.partition("\n")
            lines = (first.removeprefix(" "), inspect.cleandoc(rest))
            yield before.partition("(")[0].strip(), "\n".join(filter(None, lines))
