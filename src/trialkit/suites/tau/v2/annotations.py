"""Type annotations of a source file, turned into types without running the file."""

import ast
from collections.abc import Iterable
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_origin

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, create_model

from trialkit.errors import InputError

from .source import text_of, unreadable

#: A type that is made at run time: no type checker knows it.
Made = Any
_GENERIC: dict[str, Made] = {"dict": dict, "Dict": dict, "list": list, "List": list, "tuple": tuple, "Tuple": tuple}
_DATES: dict[str, Made] = {"date": date, "datetime": datetime}
_PLAIN: dict[str, Made] = (
    {"Any": Any, "bool": bool, "float": float, "int": int, "str": str}
    | _GENERIC
    | {name: Annotated[kind, PlainSerializer(kind.isoformat)] for name, kind in _DATES.items()}
)


class _Model(BaseModel):
    """What is read stays plain: of an enumeration the value, a default too."""

    model_config = ConfigDict(use_enum_values=True, validate_default=True)


class _Strict(_Model):
    model_config = ConfigDict(extra="forbid")


#: tau2's own base of models that take no other fields.
_STRICT = "BaseModelNoExtra"


def parsed(file: Path) -> ast.Module:
    try:
        return ast.parse(text_of(file), filename=str(file))
    except (ValueError, SyntaxError) as error:
        raise unreadable(file, error) from None


class Annotations:
    """Resolves names against the aliases and pydantic models of some files; only what is asked for is looked at."""

    def __init__(self, files: Iterable[Path], *, discriminating: bool = False) -> None:
        """`discriminating`: models that a common field tells apart are told apart by it, which is much faster."""
        self._discriminating = discriminating
        self._defined: dict[str, tuple[Path, ast.expr | ast.ClassDef]] = {}
        self._classes: dict[str, Made] = {}
        self._resolving: set[str] = set()
        for file in files:
            for node in parsed(file).body:
                if isinstance(node, ast.ClassDef):
                    self._defined[node.name] = file, node
                elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    self._defined[node.targets[0].id] = file, node.value

    def type_of(self, node: ast.expr, file: Path) -> Made:
        """The type that `node`, which stands in `file`, means."""
        match node:
            case ast.Constant(value=None):
                return None
            case ast.Constant(value=str(text)):
                return self.type_of(_expression(text, node, file), file)
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return self._named(name, node, file)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return Union[self.type_of(left, file), self.type_of(right, file)]  # noqa: UP007 - made at run time
            case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
                parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                return self._generic(name, parts, node, file)
        raise _unknown(node, file)

    def _generic(self, name: str, parts: list[ast.expr], node: ast.expr, file: Path) -> Made:
        if name == "Literal":
            return Literal[tuple(literal(part, file) for part in parts)]
        if name == "Annotated":
            kind = self.type_of(parts[0], file)
            return Annotated[kind, self._field(parts[1], file)] if is_field(parts[1]) else kind
        types = tuple(self.type_of(part, file) for part in parts)
        if name == "Optional":
            types = (*types, None)
        if name in {"Optional", "Union"}:
            kind = Union[types]  # noqa: UP007 - made at run time
            by = _discriminator(types) if self._discriminating else None
            return Annotated[kind, Field(discriminator=by)] if by else kind
        if name in _GENERIC:
            return _GENERIC[name][types if len(types) > 1 else types[0]]
        raise _unknown(node, file)

    def named(self, name: str) -> Made:
        """The type that one of the files defines under this name."""
        return self._named(name, ast.Name(id=name), self._defined[name][0])

    def subclass_of(self, base: str, file: Path) -> Made:
        """The model that is derived from a class of this name, which stands elsewhere."""
        for name, (_, node) in self._defined.items():
            if isinstance(node, ast.ClassDef) and base in [ast.unparse(one) for one in node.bases]:
                return self.named(name)
        raise InputError(f"{file}: no class is derived from {base}")

    def _named(self, name: str, node: ast.expr, file: Path) -> Made:
        if name in _PLAIN:
            return _PLAIN[name]
        # A type that contains itself would need a schema that refers to itself; no tool of tau2 has one.
        if name not in self._defined or name in self._resolving:
            raise _unknown(node, file)
        home, meaning = self._defined[name]
        self._resolving.add(name)
        found = self._class(meaning, home) if isinstance(meaning, ast.ClassDef) else self.type_of(meaning, home)
        self._resolving.remove(name)
        return found

    def _class(self, node: ast.ClassDef, file: Path) -> Made:
        if node.name not in self._classes:
            is_enum = any(isinstance(base, ast.Name) and base.id == "Enum" for base in node.bases)
            self._classes[node.name] = _enumeration(node, file) if is_enum else self._model(node, file)
        return self._classes[node.name]

    def _model(self, node: ast.ClassDef, file: Path) -> type[BaseModel]:
        fields: dict[str, Made] = {}
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                fields[part.target.id] = self.type_of(part.annotation, file), self._default(part.value, file)
        bases = tuple(self._base(base) for base in node.bases)
        model: type[BaseModel] = create_model(node.name, __base__=bases, __doc__=ast.get_docstring(node), **fields)
        return model

    def _base(self, node: ast.expr) -> type[BaseModel]:
        if isinstance(node, ast.Name) and node.id in self._defined:
            home, meaning = self._defined[node.id]
            if isinstance(meaning, ast.ClassDef):
                base: type[BaseModel] = self._class(meaning, home)
                return base
        return _Strict if isinstance(node, ast.Name) and node.id == _STRICT else _Model

    def _default(self, node: ast.expr | None, file: Path) -> Made:
        if node is None:
            return ...
        return self._field(node, file) if is_field(node) else self._value(node, file)

    def _field(self, node: ast.expr, file: Path) -> Made:
        """A pydantic field with the default and the description that `Field(…)` gives; the rest is not in a schema."""
        if not isinstance(node, ast.Call):
            raise _unknown(node, file)
        given = {word.arg: word.value for word in node.keywords}
        description = literal(given["description"], file) if "description" in given else None
        if "default_factory" in given:
            made = self._made(given["default_factory"], file)
            return Field(default_factory=lambda: made, description=description)
        default = node.args[0] if node.args else given.get("default")
        return Field(... if default is None else self._value(default, file), description=description)

    def _made(self, node: ast.expr, file: Path) -> Made:
        """What a factory makes: a class, or a function without a name that says what."""
        return self._value(node.body, file) if isinstance(node, ast.Lambda) else self.type_of(node, file)()

    def _value(self, node: ast.expr, file: Path) -> Made:
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=member) if name in self._defined:
                return self.named(name)[member].value
            case ast.Name(id=name) if isinstance((named := self._defined.get(name, (file, None)))[1], ast.expr):
                return self._value(named[1], named[0])
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                return {self._value(key, file): self._value(value, file) for key, value in pairs if key is not None}
            case ast.Call(func=ast.Attribute(attr=kind), args=parts) if kind in _DATES:
                return _DATES[kind](*(literal(part, file) for part in parts))
            case ast.Call(func=ast.Name(id=name), args=[], keywords=words) if name in self._defined:
                return self.named(name)(**{word.arg: self._value(word.value, file) for word in words if word.arg})
        return literal(node, file)


def literal(node: ast.expr, file: Path) -> Made:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        raise InputError(f"{file}:{node.lineno}: expected a plain value, found `{ast.unparse(node)}`") from None


def is_field(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Field"


def _enumeration(node: ast.ClassDef, file: Path) -> Made:
    """Of texts, as all of tau2's are."""
    members = [
        (part.targets[0].id, literal(part.value, file))
        for part in node.body
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)
    ]
    return Enum(node.name, members, type=str)


def _discriminator(types: tuple[Made, ...]) -> str | None:
    """The first field that all of these models have as a literal."""
    models = [kind for kind in types if isinstance(kind, type) and issubclass(kind, BaseModel)]
    if len(models) < max(2, len(types)):
        return None
    literals = [
        {name for name, one in kind.model_fields.items() if get_origin(one.annotation) is Literal} for kind in models
    ]
    return next((name for name in models[0].model_fields if all(name in names for names in literals)), None)


def _expression(text: str, node: ast.expr, file: Path) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        raise _unknown(node, file) from None


def _unknown(node: ast.expr, file: Path) -> InputError:
    return InputError(
        f"{file}:{node.lineno}: `{ast.unparse(node)}` is no type that trialkit can read from a tool's signature"
    )
