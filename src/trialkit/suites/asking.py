"""Code of somebody else's, such as a suite's own: where it fails, whoever wrote it is told where, in one line."""

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from trialkit.errors import InputError, TrialkitError

T = TypeVar("T")


@contextmanager
def asking(whose: str, what: str) -> Iterator[None]:
    """`whose` code says `what` it says."""
    try:
        yield
    except (TrialkitError, OSError):
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        at = f"{Path(place.filename).name}:{place.lineno}"
        raise InputError(f"{whose}: its {what} cannot be had: {type(error).__name__}: {error} ({at})") from error


def each(found: Iterable[T], kind: type[T]) -> list[T]:
    """TypeError where there is something else among them."""
    listed = list(found)
    for one in listed:
        if not isinstance(one, kind):
            raise TypeError(f"{one!r:.60} is no {kind.__name__}")
    return listed


def ask_in_one_line(kind: type, base: type) -> None:
    """All that `kind` says in place of methods of `base`, wherever they are asked; what is awaited is the trial's."""
    for name in filter(lambda one: not one.startswith("_"), vars(base)):
        owner = next(one for one in kind.__mro__ if name in vars(one))
        found = vars(owner)[name]
        new = found is not vars(base)[name] and (owner is kind or not issubclass(owner, base))
        if new and isinstance(found, FunctionType) and not inspect.iscoroutinefunction(found):
            setattr(kind, name, _in_one_line(found, name.replace("_", " ")))


def _in_one_line(method: Callable[..., Any], what: str) -> Callable[..., Any]:
    @functools.wraps(method)
    def asked(self: Any, *args: Any, **kwargs: Any) -> Any:
        with asking(f"suite {self.name}", what):
            return method(self, *args, **kwargs)

    return asked
