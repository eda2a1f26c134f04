"""Reading Google-style docstrings: what a tool does and what each argument means."""

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_SECTION = re.compile(
    r"^(Args|Arguments|Parameters|Params|Attributes|Examples?|Raises|Except|Exceptions|Returns?|Yields?):[ \t]*$",
    re.MULTILINE,
)
_ARGUMENTS = {"Args", "Arguments", "Parameters", "Params"}


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
