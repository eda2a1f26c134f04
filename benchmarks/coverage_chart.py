"""The figure of docs/statistics.md: a dot for each cell of the grid."""

from collections.abc import Mapping, Sequence

_LEFT, _TOP, _PANEL, _HEIGHT, _LOW = 56, 34, 230, 220, 0.90
_COLOURS = ("#0b6e99", "#b35c00", "#3a7d44")


def chart(panels: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """Coverage upwards, cases to the right in even steps, dots of one size beside each other."""
    width = _LEFT + len(panels) * (_PANEL + 20)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_TOP + _HEIGHT + 46}">',
        '<g font-family="sans-serif" font-size="12">',
        "<title>Coverage of the 95% intervals by number of cases; each dot is a cell of the simulated grid</title>",
        f'<rect width="{width}" height="{_TOP + _HEIGHT + 46}" fill="#fff"/>',
    ]
    for place, (name, cells) in enumerate(panels.items()):
        parts += _panel(_LEFT + place * (_PANEL + 20), name, cells, _COLOURS[place % len(_COLOURS)], first=not place)
    return "\n".join([*parts, "</g></svg>\n"])


def _panel(left: int, name: str, cells: Sequence[tuple[int, float]], colour: str, *, first: bool) -> list[str]:
    sizes = sorted({size for size, _ in cells})
    step = _PANEL / max(1, len(sizes))
    band = f'<rect x="{left}" y="{_y(0.98):.1f}" width="{_PANEL}" height="{_y(0.93) - _y(0.98):.1f}" fill="#eef2f4"/>'
    parts = [f'<text x="{left}" y="{_TOP - 14}" font-weight="bold">{name}</text>', band]
    for share in (0.90, 0.93, 0.95, 0.98, 1.0):
        dash = "" if share == 0.95 else ' stroke-dasharray="2 3"'
        y = _y(share)
        parts.append(f'<path d="M{left} {y:.1f}h{_PANEL}" stroke="#889" stroke-width=".7"{dash}/>')
        if first:
            parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for place, size in enumerate(sizes):
        middle = left + (place + 0.5) * step
        parts.append(f'<text x="{middle:.1f}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle">{size}</text>')
        shares = sorted(share for of, share in cells if of == size)
        for rank, share in enumerate(shares):
            x = middle + (rank / max(1, len(shares) - 1) - 0.5) * step * 0.7
            parts.append(f'<circle cx="{x:.1f}" cy="{_y(share):.1f}" r="2" fill="{colour}" fill-opacity=".7"/>')
    parts.append(f'<text x="{left + _PANEL / 2}" y="{_TOP + _HEIGHT + 36}" text-anchor="middle">cases</text>')
    return parts


def _y(share: float) -> float:
    return _TOP + _HEIGHT * (1 - (max(_LOW, share) - _LOW) / (1 - _LOW))
