"""Puts LLM agents on trial. For notebooks: `trialkit.open_run(path)`, `trialkit.compare(a, b)`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trialkit.api import compare, open_run

__version__ = "0.1.0"
__all__ = ["__version__", "compare", "open_run"]


def __getattr__(name: str) -> Any:
    """Loaded when first used, so that `import trialkit`, and the command line with it, stays quick."""
    if name in {"compare", "open_run"}:
        from trialkit import api  # noqa: PLC0415 - see above

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
