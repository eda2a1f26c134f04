"""The tools as models see them: OpenAI function schemas from the signatures and docstrings of tau2's `tools.py`."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError, create_model

from trialkit.errors import InputError
from trialkit.suites.tau.common.domain import ToolSchema

from .annotations import Annotations, literal, parsed
from .docstrings import read_docstring

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
