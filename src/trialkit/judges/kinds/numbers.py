"""Numbers in texts, as English or German writes them: 1,234.50 and 1.234,50."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

Notation = Literal["auto", "en", "de"]
_GAPS = "'\u2019\u00a0\u202f\u2009"  # what stands between thousands in Switzerland, in France and by ISO 31
#: Digits that follow a letter are part of a name (A4), and a dash behind one of these is no minus (10-20).
_NUMBER = re.compile(
    rf"(?<![\w.,])(?P<sign>(?<![)\]])[-+\u2212\u2013][$€£¥]?)?"
    rf"(?P<digits>[.,]?[0-9](?:[0-9.,{_GAPS}]*[0-9])?)(?P<exponent>[eE][-+]?[0-9]{{1,3}}(?![0-9]))?"
)
_LONGEST = 60  # more digits are no number that anybody asked for


class _Readings(NamedTuple):
    """None: it is no number there."""

    english: Decimal | None
    german: Decimal | None


def numbers_in(text: str, notation: Notation = "auto") -> list[Decimal]:
    """In order. What can be read in two ways (1.234) is read as the rest of the text is written, else as English."""
    found = list(_found(text))
    if notation == "auto":
        german = sum(one.english is None for one in found) > sum(one.german is None for one in found)
        values = [_first(one.german, one.english) if german else _first(*one) for one in found]
    else:
        values = [one.german if notation == "de" else one.english for one in found]
    return [value for value in values if value is not None]


def _first(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    return other if one is None else one


def _found(text: str) -> Iterator[_Readings]:
    for match in _NUMBER.finditer(text):
        if len(match[0]) <= _LONGEST:
            yield _Readings(*(_read(match, comma, point) for comma, point in ((",", "."), (".", ","))))


def _read(match: re.Match[str], thousands: str, point: str) -> Decimal | None:
    whole, has_point, part = match["digits"].partition(point)
    groups = re.split(f"[{thousands}{_GAPS}]", whole) if whole else ["0"]
    fits = (part.isdigit() or not has_point) and all(map(str.isdigit, groups))
    if not fits or (len(groups) > 1 and not _grouped(groups)):
        return None
    sign = "-" if (match["sign"] or "+")[0] != "+" else ""
    return Decimal(f"{sign}{''.join(groups)}.{part or 0}{match['exponent'] or ''}")


def _grouped(groups: Sequence[str]) -> bool:
    """In threes, or as in India in twos before the last three."""
    first, *middle, last = groups
    return 1 <= len(first) <= 3 and first[0] != "0" and all(len(one) in {2, 3} for one in middle) and len(last) == 3
