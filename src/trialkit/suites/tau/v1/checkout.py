"""tau-bench's content in a checkout of its repository. The Python files there are read as literals, never executed."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialkit.suites.tau.common.database import Row
from trialkit.suites.tau.common.domain import ToolSchema
from trialkit.suites.tau.common.tasks import Malformed, Task
from trialkit.suites.tau.v1 import content
from trialkit.text.files import read_text
from trialkit.text.short import shown

#: The only calls that may stand in a task list; each stands for the object of its keyword arguments.
_RECORDS = frozenset({"Task", "Action"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkout:
    """One domain's folder, `tau_bench/envs/DOMAIN`."""

    folder: Path

    def policy(self) -> str:
        return read_text(self.folder / "wiki.md", content.FIX)

    def rules(self) -> list[str]:
        module = _Module(self.folder / "rules.py")
        value = module.assigned("RULES")
        return content.rules(module.literal(value), module.place(value))

    def tool_schemas(self) -> list[ToolSchema]:
        """In the order of ALL_TOOLS, which is the order in which a model is shown them."""
        package = _Module(self.folder / "tools" / "__init__.py")
        homes = package.imports()
        schemas = []
        for tool in package.elements(package.assigned("ALL_TOOLS")):
            if not isinstance(tool, ast.Name) or tool.id not in homes:
                raise content.wrong(package.place(tool), "ALL_TOOLS may only list classes that the file imports")
            module = _Module(self.folder / "tools" / f"{homes[tool.id]}.py")
            value = module.returned(tool.id, "get_info")
            schemas.append(content.schema(module.literal(value), module.place(value)))
        return schemas

    def table(self, name: str) -> dict[str, Row]:
        return content.read_table(self.folder / "data" / f"{name}.json")

    def splits(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem.removeprefix("tasks_") for path in self.folder.glob("tasks_*.py")))

    def tasks(self, split: str) -> tuple[Task | Malformed, ...]:
        module = _Module(self.folder / f"tasks_{split}.py")
        value = module.assigned(f"TASKS_{split.upper()}", "TASKS")
        return content.tasks(split, module.elements(value), lambda one: (module.literal(one), module.place(one)))


class _Module:
    """A Python file as a syntax tree, with messages that name the file and line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._tree = ast.parse(read_text(path, content.FIX))
        except SyntaxError as error:
            raise content.wrong(f"{path}, line {error.lineno}", f"is not Python ({error.msg})") from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise content.wrong(str(path), f"cannot be read as Python ({error})") from error

    def place(self, node: ast.AST) -> str:
        return f"{self._path}, line {getattr(node, 'lineno', 1)}"

    def assigned(self, *names: str) -> ast.expr:
        """What the module assigns to the first of the names that it has. Their case is free: it changed over time."""
        values = dict(self._assignments())
        for name in names:
            if name in values:
                return values[name]
        raise content.wrong(str(self._path), f"assigns no {' or '.join(names)}")

    def _assignments(self) -> Iterator[tuple[str, ast.expr]]:
        for node in self._tree.body:
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, ast.AnnAssign):
                targets = [node.target]
            else:
                continue
            for target in targets:
                if isinstance(target, ast.Name) and node.value is not None:
                    yield target.id.upper(), node.value

    def imports(self) -> dict[str, str]:
        """Each imported name and the last part of the module that it comes from."""
        return {
            alias.asname or alias.name: node.module.rpartition(".")[2]
            for node in self._tree.body
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }

    def returned(self, class_name: str, method: str) -> ast.expr:
        """What a method of a class returns."""
        for owner in self._tree.body:
            if isinstance(owner, ast.ClassDef) and owner.name == class_name:
                for function in owner.body:
                    if isinstance(function, ast.FunctionDef) and function.name == method:
                        return self._return_value(function)
        raise content.wrong(str(self._path), f"has no {class_name}.{method}()")

    def _return_value(self, function: ast.FunctionDef) -> ast.expr:
        last = function.body[-1]
        if isinstance(last, ast.Return) and last.value is not None:
            return last.value
        raise content.wrong(self.place(last), f"{function.name}() has to end by returning a literal")

    def elements(self, node: ast.expr) -> list[ast.expr]:
        if not isinstance(node, ast.List):
            raise content.wrong(self.place(node), f"has {_source(node)} where a list belongs")
        return node.elts

    def literal(self, node: ast.expr) -> Any:
        if isinstance(node, ast.List):
            return [self.literal(element) for element in node.elts]
        if isinstance(node, ast.Dict):
            return {
                self._key(key, node): self.literal(value) for key, value in zip(node.keys, node.values, strict=True)
            }
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _RECORDS:
            if node.args or any(keyword.arg is None for keyword in node.keywords):
                raise content.wrong(self.place(node), f"{node.func.id}(...) may only have keyword arguments")
            return {keyword.arg: self.literal(keyword.value) for keyword in node.keywords}
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
            raise content.wrong(
                self.place(node), f"has {_source(node)} where a literal belongs, and trialkit does not execute it"
            ) from error

    def _key(self, key: ast.expr | None, owner: ast.Dict) -> str:
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return key.value
        raise content.wrong(self.place(key or owner), "an object may only have texts as keys")


def _source(node: ast.expr) -> str:
    return shown(ast.unparse(node), 80)
