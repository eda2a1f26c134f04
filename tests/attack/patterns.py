"""Every regular expression of the house, and texts that make a bad one slow."""

import ast
import functools
import importlib
import operator
import re
import re._constants as sre  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import trialkit
from trialkit.judges.kinds import label, numbers
from trialkit.models import secrets
from trialkit.suites.commodity import criteria, mentions

SOURCE = Path(trialkit.__file__).parent
_CONCEPTS = mentions._CONCEPTS.values()
#: What is put together at run time, by the words that it is written in → what it may be.
MADE: Mapping[str, Sequence[str]] = {
    "name": list(mentions._NAMES),
    "pattern": list(criteria._SAID),
    "form": list(criteria._FORMS),
    "concept.of": [one.of for one in _CONCEPTS],
    "f'\\\\b(?:{concept.said})(?!\\\\w)'": [rf"\b(?:{one.said})(?!\w)" for one in _CONCEPTS],
    "f'\\\\b(?:{concept.near})'": [rf"\b(?:{one.near})" for one in _CONCEPTS],
    "f'\\\\b(?:{doubts})\\\\b'": [
        rf"\b(?:{'|'.join(filter(None, (mentions._ALWAYS, one.doubts)))})\b" for one in _CONCEPTS
    ],
    "f'\\\\b{re.escape(code)}(?!\\\\w)'": [rf"\b{code}(?!\w)" for code in ("CORN", "aaaaaaaa")],
    "f'(?<!\\\\w){re.escape(phrase)}(?!\\\\w)'": [rf"(?<!\w){phrase}(?!\w)" for phrase in ("a", "aaaaaaaa", r"\ \ a")],
    "_any_of(pieces)": [secrets._any_of({"aaaaaaaa", "aaaaaaab", "abababab", "k-proj-4"})],
    "text if isinstance(text, str) else '('": [],  # in a script for replies, by whoever runs it
    "_pattern(pattern, {})": [],  # in a suite's file; it is held against texts in a process apart, which is ended
    "'|'.join(map(_as_word, longest_first))": ["|".join(map(label._as_word, ("a a", "aaaaaaaa", "a_a", "\u4e2d")))],
    "f'{re.escape(str(path))}:(\\\\d+):(\\\\d+): (.*)'": [r"a\.yaml:(\d+):(\d+): (.*)"],
    "f'[{thousands}{_GAPS}]'": [f"[.{numbers._GAPS}]"],
    "f'({re.escape(words)})'": ["(a)", "(aaaaaaaa)"],
}
#: Characters that texts loop on.
COMMON = ".-_ 1aA,:;\"'`*#[]{}()<>\\/|$%&=+@~!?\n\t\u2212\u00e9"


@dataclass(frozen=True, slots=True)
class Use:
    """A pattern as it stands in the source, and how texts are held against it there."""

    pattern: "re.Pattern[str]"
    method: str

    def __call__(self, text: str) -> object:
        if self.method in {"match", "fullmatch", "search"}:
            return getattr(self.pattern, self.method)(text)
        return sum(1 for _ in self.pattern.finditer(text))  # findall, finditer, split and sub look all through it


def all_uses() -> dict[str, Use]:
    """By pattern, flags and method; `MADE` has the patterns that stand nowhere."""
    found: list[Use] = []
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name == "__main__.py" or path.parent.name == "apart":  # where strangers' patterns run
            continue
        source = path.read_text()
        module = importlib.import_module(
            ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        )
        calls = set(re.findall(r"\b(\w+)\.(match|fullmatch|search|findall|finditer|sub|split)\b", source))
        for name, method in calls:
            found += [Use(one, method) for one in _held([vars(module).get(name)])]
        if re.search(r"\bre\.", source):
            found += _written(module, source)
    named = {f"{one.pattern.pattern} {one.pattern.flags} {one.method}": one for one in found}
    return dict(sorted(named.items()))


def _held(values: Iterable[object], depth: int = 4) -> Iterator["re.Pattern[str]"]:
    """In what a module has at its top, and in what that holds."""
    for value in values if depth else ():
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _held([*value.keys(), *value.values()], depth - 1)
        elif isinstance(value, list | tuple | set | frozenset):
            yield from _held(value, depth - 1)
        elif is_dataclass(value) and not isinstance(value, type):
            yield from _held([getattr(value, one.name, None) for one in fields(value)], depth - 1)


def _written(module: ModuleType, source: str) -> Iterator[Use]:
    """The first argument of each call of `re`, where it stands inside a function too."""
    tree = ast.parse(source)
    inside = {one for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for one in ast.walk(node)}
    for node in inside:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method), args=[text, *more]):
                if method in {"escape", "purge"}:
                    continue
                flags = [one.value for one in node.keywords if one.arg == "flags"]
                if method in {"compile", "match", "fullmatch", "search", "findall", "finditer"}:
                    flags += more[0 if method == "compile" else 1 :]
                flag = functools.reduce(operator.or_, (int(_value(one, module)) for one in flags), 0)
                for one in _texts(text, module, f"{module.__name__}:{node.lineno}"):
                    yield Use(re.compile(one, flag), "search" if method == "compile" else method)


def _texts(node: ast.expr, module: ModuleType, place: str) -> Sequence[str]:
    told = ast.unparse(node)
    if told in MADE:
        return MADE[told]
    try:
        return [str(_value(node, module))]
    except NameError:
        raise AssertionError(f"{place}: say in tests/attack/patterns.py what {told} may be") from None


def _value(node: ast.expr, module: ModuleType) -> Any:
    return eval(ast.unparse(node), vars(module))  # noqa: S307 - our own source


_REPEATS = {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}


def hostile_texts(pattern: "re.Pattern[str]", size: int) -> Iterator[str]:
    """Each sign and loop of the pattern after each beginning that leads to a loop; and each beginning repeated."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    begins, bodies = {""}, set(COMMON)
    _walk(tree, "", begins, bodies)
    again = {begin + sign for begin in begins | {example(tree)} for sign in ("", "-", "_", " ", ". ")} - {""}
    pairs = [("", body) for body in sorted(again)]
    pairs += [(begin, body) for begin in sorted(begins) for body in sorted(bodies)]
    for begin, body in pairs:
        yield begin + body * (size // len(body)) + "\x00"


def _walk(tree: Any, before: str, begins: set[str], bodies: set[str]) -> None:
    for kind, value in tree:
        if kind in _REPEATS:
            _, most, inner = value
            if most > 20:
                begins.add(before)
                bodies.add(example(inner) or "a")
            _walk(inner, before, begins, bodies)
        elif kind is sre.SUBPATTERN:
            _walk(value[-1], before, begins, bodies)
        elif kind is sre.BRANCH:
            for branch in value[1]:
                _walk(branch, before, begins, bodies)
        elif kind in {sre.ASSERT, sre.ASSERT_NOT}:
            _walk(value[1], before, begins, bodies)
        elif kind is sre.ATOMIC_GROUP:
            _walk(value, before, begins, bodies)
        before += example([(kind, value)])


def example(tree: Any) -> str:
    """A short text that the pattern takes, or nearly: what stands around it is not looked at."""
    return "".join(_one(kind, value) for kind, value in tree)


def _one(kind: Any, value: Any) -> str:
    return _ONE[kind](value) if kind in _ONE else ""


_CLASS = {sre.CATEGORY_DIGIT: "1", sre.CATEGORY_SPACE: " ", sre.CATEGORY_WORD: "a", sre.CATEGORY_NOT_WORD: "."}


def _member(value: Any) -> str:
    if value[0][0] is sre.NEGATE:
        return next((char for char in "a1 ._\x01" if not any(_takes(one, char) for one in value[1:])), "\u00e9")
    kind, first = value[0]
    if kind is sre.CATEGORY:
        return _CLASS.get(first, "a")
    return chr(first[0] if kind is sre.RANGE else first)


def _takes(one: Any, char: str) -> bool:
    kind, value = one
    if kind is sre.LITERAL:
        return bool(ord(char) == value)
    if kind is sre.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    return bool(_CLASS.get(value) == char or (value is sre.CATEGORY_NOT_DIGIT and not char.isdigit()))


_ONE: Mapping[Any, Callable[[Any], str]] = {
    sre.LITERAL: chr,
    sre.NOT_LITERAL: lambda value: "b" if value == ord("a") else "a",
    sre.ANY: lambda _: "a",
    sre.IN: _member,
    **dict.fromkeys(_REPEATS, lambda value: example(value[2]) * max(value[0], 1)),
    sre.SUBPATTERN: lambda value: example(value[-1]),
    sre.BRANCH: lambda value: example(value[1][0]),
    sre.ATOMIC_GROUP: example,
}
