"""Markdown, for a pull request or a wiki."""

from collections.abc import Iterator, Sequence

from trialkit.text.shown import one_line


def cell(text: str) -> str:
    """A model's words must not become markup or break the table."""
    line = one_line(text)
    for character in "\\`*_[]<>|#":
        line = line.replace(character, f"\\{character}")
    return line


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(map(cell, columns))} |"
    yield "|---" * len(columns) + "|"
    yield from (f"| {' | '.join(map(cell, row))} |" for row in rows)
