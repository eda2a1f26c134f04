"""Numbers and texts as people read them, the same wherever they are shown."""

from typing import Any

from trialkit.stats import Figure


def percent(value: float | None) -> str:
    return "—" if value is None else f"{100 * value:.1f}%"


def rate(figure: Figure) -> str:
    """`80.0%  [49.0%, 94.3%]`: a rate is never without its interval."""
    if figure.value is None:
        return "— (no verdicts)"
    return f"{percent(figure.value)}  [{percent(figure.low)}, {percent(figure.high)}]"


def short_rate(figure: Figure, digits: int = 0) -> str:
    """`90% [73, 97]`: several of them fit 80 columns."""
    if figure.value is None or figure.low is None or figure.high is None:
        return "—"
    value, low, high = (f"{100 * part:.{digits}f}" for part in (figure.value, figure.low, figure.high))
    return f"{value}% [{low}, {high}]"


def number(figure: Figure, digits: int = 3) -> str:
    """`0.420  [0.310, 0.540]`"""
    if figure.value is None:
        return "—"
    interval = (
        "" if figure.low is None or figure.high is None else f"  [{figure.low:z.{digits}f}, {figure.high:z.{digits}f}]"
    )
    return f"{figure.value:z.{digits}f}{interval}"


def signed(value: float, digits: int) -> str:
    """`+6.1`, `-6.1`, and `0.0` without a sign: what is rounded away has no direction."""
    text = f"{value:+.{digits}f}"
    return text if text.strip("+-0.") else text[1:]


def dollars(value: float | None) -> str:
    if value is None:
        return "unknown"
    if value >= 1 or not value:
        return f"${value:,.2f}"
    return f"${value:.4f}" if value >= 0.001 else f"${float(f'{value:.2g}'):.10f}".rstrip("0")


def count(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def seconds(value: float | None) -> str:
    if value is None:
        return "—"
    if value < 60:
        return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def one_line(text: str) -> str:
    """As little room as it can take, for a cell or a message."""
    return visible(" ".join(text.split()))


def visible(text: str, keep: str = "") -> str:
    """Without characters that would steer a terminal, but for those to keep: a model's words are shown, not obeyed."""
    return "".join(char if char.isprintable() or char in keep else "\ufffd" for char in text)


def fact(value: Any) -> str:
    """A suite's fact in a table cell."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else one_line(str(value))
