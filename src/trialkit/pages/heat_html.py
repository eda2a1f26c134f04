"""A heat map: a square for each trial, a row for each case, in as many columns as the screen has room for."""

from collections.abc import Callable, Iterator

from .chart import HeatCell, HeatMap, HeatRow

#: By the room that a row takes, in pixels; one that has room nowhere goes on below itself.
_LOOKS = {136: "heat", 224: "heat middling", 368: "heat long"}
_SHADES = 4  # of a score, so that neighbours can be told apart


def heat_html(chart: HeatMap, escape: Callable[[str], str]) -> str:
    """Hidden from screen readers and from the keyboard: the table behind it says it all."""
    longest = max((len(row.label) for row in chart.rows), default=0)
    most = max((len(row.cells) for row in chart.rows), default=0)
    room = 7 * longest + 16 * most  # pixels
    look = next((look for most, look in _LOOKS.items() if room < most), "heat endless")
    rows = "".join(
        f"<li>{_label(escape(row.label))}<div>{''.join(_cells(row, escape))}</div></li>" for row in chart.rows
    )
    return f'<ul class="{look}" aria-hidden="true">{rows}</ul>'


def _label(label: str) -> str:
    return f'<span title="{label}">{label}</span>'


def _cells(row: HeatRow, escape: Callable[[str], str]) -> Iterator[str]:
    for number, cell in enumerate(row.cells, start=1):
        says = f'class="{_look(cell)}" title="{escape(row.label)}, trial {number}: {escape(str(cell.cell()))}"'
        yield f'<a href="{escape(cell.link)}" tabindex="-1" {says}></a>' if cell.link else f"<i {says}></i>"


def _look(cell: HeatCell) -> str:
    if cell.level is not None:
        return f"level{min(_SHADES - 1, int(cell.level * _SHADES))}"
    return cell.outcome or "open"
