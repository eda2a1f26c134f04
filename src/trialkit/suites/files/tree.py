"""A YAML file as a tree whose every part knows where it stands.

Read event by event, so that neither depth nor aliases can take more than is there. What a plain word is follows
YAML 1.2: only true and false are truth values, and a date is a text.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf, isfinite
from pathlib import Path
from typing import Any

import yaml

from trialkit.errors import InputError
from trialkit.text.files import read_text
from trialkit.text.short import shortened, shown

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: No suite is larger; cases of such a number belong in a file of their own.
_MOST_BYTES, _MOST_NODES, _DEEPEST = 5_000_000, 200_000, 100
_MOST_FAULTS = 50
_WORDS = {
    word: value
    for value, words in {None: ("", "~", "null"), True: ("true",), False: ("false",)}.items()
    for one in words
    for word in (one, one.capitalize(), one.upper())
}
_INT = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")
#: What ends a line in YAML.
_LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_PLAIN_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null")}
_TEXT_TAGS = {"!", "tag:yaml.org,2002:str"}
_TREE_TAGS = {"!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}

#: Keys and positions that lead to a part.
Steps = Sequence[str | int]


@dataclass(slots=True)
class Node:
    """`value` is a scalar, a list of nodes, or a dict of them; lines and columns count from 1."""

    value: Any
    line: int
    column: int
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)  # of a dict: where each key stands
    size: int = 1  # how many nodes it is, aliases written out

    def plain(self) -> Any:
        """As JSON data."""
        if isinstance(self.value, dict):
            return {key: part.plain() for key, part in self.value.items()}
        return [part.plain() for part in self.value] if isinstance(self.value, list) else self.value

    def place(self, steps: Steps, *, value: bool = False) -> tuple[int, int]:
        """Line and column of what a path leads to, as far as it leads; of what stands under a key, the key's.

        `value`: rather where the value itself begins.
        """
        node, place = self, (self.line, self.column)
        for step in steps:
            if isinstance(node.value, dict) and step in node.value:
                place, node = node.keys[str(step)], node.value[step]
            elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
                place = (node.line, node.column)
            else:
                break
        return (node.line, node.column) if value else place


class Faults:
    """What is wrong with a file, all of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found: list[tuple[int, int, str]] = []

    def add(self, line: int, column: int, wrong: str) -> None:
        self._found.append((line, column, wrong))

    def refuse(self) -> None:
        """InputError tells of each, in the order of the file; nothing happens where there is none."""
        if self._found:
            lines = dict.fromkeys(
                f"{self.path}:{line}:{column}: {wrong}"
                for line, column, wrong in sorted(self._found, key=lambda one: one[:2])
            )
            more = [f"{self.path}: {len(lines) - _MOST_FAULTS:,} more of them"] if len(lines) > _MOST_FAULTS else []
            raise InputError("\n".join([*islice(lines, _MOST_FAULTS), *more]))


def read_tree(path: Path, faults: Faults) -> Node:
    """InputError where the file is no YAML; what is wrong in YAML as such is added to the faults."""
    text = read_text(path, "name a YAML file with a suite, and keep many cases in a file of their own", _MOST_BYTES)
    try:
        return _TreeReader(faults).read(yaml.parse(text, Loader=_Loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        wrong = ", ".join(filter(None, (error.context, error.problem)))
        raise InputError(f"{path}:{line}:{column}: not YAML: {wrong}; {_fix(text, line)}") from None
    except yaml.YAMLError as error:
        raise InputError(f"{path}: not YAML: {shortened(str(error), 200)}; save it as plain text in UTF-8") from None


def _fix(text: str, line: int) -> str:
    said = [*_LINE_END.split(text), ""][line - 1]
    if "\t" in said[: len(said) - len(said.lstrip())]:
        return "indent with spaces, not with tabs"
    if re.search(r":\s++\S*\s*\{\{", said):
        return f"put a text with braces in quotes, or under `|`: {shortened(said.strip())}"
    return f"look at this line, and put texts with : or # or {{ in quotes: {shortened(said.strip())}"


@dataclass(slots=True)
class _Open:
    """A list or dict that is being read."""

    node: Node
    anchor: str | None
    key: tuple[str, int, int] | None = None
    merges: bool = False  # whether that key is `<<`
    braced: bool = False  # whether it is a text whose braces lack their quotes
    merged: set[str] = field(default_factory=set)  # keys taken over from another dict, which own ones may replace


class _TreeReader:
    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._anchors: dict[str, Node | None] = {}
        self._open: list[_Open] = []
        self._root: Node | None = None
        self._nodes = 0

    def read(self, events: Iterable[Any]) -> Node:
        documents = 0
        for event in events:
            documents += isinstance(event, yaml.DocumentStartEvent)
            if documents > 1:
                wrong = "a second document begins here; a file holds one suite: remove the `---`"
                self._refuse(event.start_mark, wrong)
            self._take(event)
        return self._root or Node(None, 1, 1)

    def _take(self, event: Any) -> None:
        mark = event.start_mark
        match event:
            case yaml.AliasEvent():
                self._put(self._alias(event), mark)
            case yaml.ScalarEvent():
                node = Node(self._scalar(event), mark.line + 1, mark.column + 1)
                self._name(event.anchor, node)
                self._put(node, mark, merges=event.value == "<<" and event.implicit[0])
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._begin(event)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                ended = self._open.pop()
                if ended.braced:  # what it was meant to be; what comes of that is no fault of its own
                    ended.node.value = ""
                self._name(ended.anchor, ended.node)
                self._put(ended.node, mark)

    def _begin(self, event: Any) -> None:
        mark = event.start_mark
        if len(self._open) >= _DEEPEST:
            self._refuse(mark, f"nested more than {_DEEPEST} deep; no suite is")
        if event.tag not in (None, *_TREE_TAGS):
            self._strange(mark, event.tag)
        value: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._open.append(_Open(Node(value, mark.line + 1, mark.column + 1), event.anchor))

    def _put(self, node: Node, mark: Any, *, merges: bool = False) -> None:
        """Where it belongs: as the next key, under the last one, at the end of a list, or as the whole."""
        self._nodes += node.size
        if self._nodes > _MOST_NODES:
            self._refuse(mark, f"more than {_MOST_NODES:,} values, aliases written out; keep cases in a file")
        if not self._open:
            self._root = node
            return
        top = self._open[-1]
        if isinstance(top.node.value, list):
            top.node.value.append(node)
        elif top.key is None:
            top.key, top.merges = (self._key(top, node), node.line, node.column), merges
            return
        else:
            self._member(top, node)
        top.node.size += node.size

    def _member(self, top: _Open, node: Node) -> None:
        key, line, column = top.key or ("", 0, 0)
        top.key = None
        if top.merges:
            self._merge(top, node)
        elif key in top.node.value and key not in top.merged:
            first = top.node.keys[key][0]
            self._faults.add(line, column, f"the key {shown(key)} stands on line {first} already; remove one of them")
        else:
            top.merged.discard(key)
            top.node.value[key], top.node.keys[key] = node, (line, column)

    def _merge(self, top: _Open, node: Node) -> None:
        """`<<: *BASE`: what stands in the dict itself wins."""
        for one in node.value if isinstance(node.value, list) else [node]:
            if not isinstance(one.value, dict):
                self._faults.add(one.line, one.column, "`<<` takes keys over from a mapping, and this is none")
                continue
            for key, part in one.value.items():
                if key not in top.node.value:
                    top.merged.add(key)
                    top.node.value[key], top.node.keys[key] = part, one.keys[key]

    def _key(self, top: _Open, node: Node) -> str:
        if isinstance(node.value, dict | list):
            top.braced = True
            wrong = "a key must be a word; put a text with braces in quotes: '{{ column }}'"
            self._faults.add(node.line, node.column, wrong)
            return f"({node.line}:{node.column})"
        return node.value if isinstance(node.value, str) else shown(node.value)

    def _alias(self, event: Any) -> Node:
        found = self._anchors.get(event.anchor)
        if found is not None:
            return found
        mark = event.start_mark
        wrong = "stands inside of what it names" if event.anchor in self._anchors else "names nothing above"
        self._refuse(mark, f"the alias *{shortened(event.anchor)} {wrong}; write out what is meant")
        raise AssertionError

    def _scalar(self, event: Any) -> Any:
        text, tag, mark = event.value, event.tag, event.start_mark
        if tag not in (None, *_TEXT_TAGS, *_PLAIN_TAGS):
            self._strange(mark, tag)
        if tag in _TEXT_TAGS or (tag is None and not event.implicit[0]):
            return text
        return plain_value(text)

    def _name(self, anchor: str | None, node: Node) -> None:
        if anchor is not None:
            self._anchors[anchor] = node

    def _strange(self, mark: Any, tag: str) -> None:
        self._faults.add(mark.line + 1, mark.column + 1, f"the tag {shown(tag)} means nothing here; remove it")

    def _refuse(self, mark: Any, wrong: str) -> None:
        self._faults.add(mark.line + 1, mark.column + 1, wrong)
        self._faults.refuse()


def plain_value(word: str) -> Any:
    """What a word without quotes is. Numbers with zeros in front are texts: they are somebody's ids."""
    if word in _WORDS:
        return _WORDS[word]
    if _INT.fullmatch(word):
        return int(word)
    number = float(word) if _FLOAT.fullmatch(word) and not re.match(r"[-+]?0[0-9]", word) else inf
    return number if isfinite(number) else word
