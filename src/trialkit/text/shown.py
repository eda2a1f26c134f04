"""Numbers and texts as people read them, the same wherever they are shown."""


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


def seconds(value: float) -> str:
    if 0 < value < 0.1:
        return f"{1000 * value:.{0 if value >= 0.01 else 1}f} ms".replace(".0 ", " ")
    if value < 60:
        return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def file_size(size: int) -> str:
    """`12 kB`, `1.5 GB`."""
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= one:
            return f"{size / one:.3g} {unit}"
    return f"{size} B"


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def one_line(text: str) -> str:
    """As little room as it can take, for a cell or a message."""
    return visible(" ".join(text.split()))


def visible(text: str, keep: str = "") -> str:
    """Without characters that would steer a terminal, but for those to keep: a model's words are shown, not obeyed."""
    return "".join(char if char.isprintable() or char in keep else "\ufffd" for char in text)
