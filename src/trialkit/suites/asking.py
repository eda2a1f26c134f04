"""Code of somebody else's, such as a suite's own: where it fails, whoever wrote it is told where, in one line."""

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from trialkit.errors import InputError, TrialkitError


@contextmanager
def asking(whose: str, what: str) -> Iterator[None]:
    """`whose` code says `what` it says."""
    try:
        yield
    except (TrialkitError, OSError):
        raise
    except Exception as error:
        places = [one for one in traceback.extract_tb(error.__traceback__) if one.filename != __file__]
        at = f" ({Path(places[-1].filename).name}:{places[-1].lineno})" if places else ""
        raise InputError(f"{whose}: its {what} cannot be had: {type(error).__name__}: {error}{at}") from error


def ask_in_one_line(kind: type, base: type) -> None:
    """All that `kind` says in place of methods of `base`, wherever they are asked; what is awaited is the trial's."""
    for name in filter(lambda one: not one.startswith("_"), vars(base)):
        owner = next(one for one in kind.__mro__ if name in vars(one))
        found = vars(owner)[name]
        new = found is not vars(base)[name] and (owner is kind or not issubclass(owner, base))
        if new and isinstance(found, FunctionType) and not inspect.iscoroutinefunction(found):
            setattr(kind, name, _in_one_line(found, name.replace("_", " "), vars(base)[name]))


def _in_one_line(method: FunctionType, what: str, default: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def asked(self: Any, *args: Any, **kwargs: Any) -> Any:
        with asking(f"suite {self.name}", what):
            given = method(self, *args, **kwargs)
            told = _told(default)
            if get_origin(told) is Sequence and isinstance(given, Iterable) and not isinstance(given, str | Mapping):
                given = list(given)  # which may fail as well
            if (wrong := _wrong(given, told)) is not None:
                at = f"{Path(method.__code__.co_filename).name}:{method.__code__.co_firstlineno}"
                raise TypeError(f"{wrong} ({at})")
            return given

    return asked


@functools.cache
def _told(method: Callable[..., Any]) -> Any:
    """What a method is to give."""
    return get_type_hints(method)["return"]


def _wrong(given: object, told: Any) -> str | None:
    """What there is in place of what was told, as far as an object tells of itself."""
    kind, inner = get_origin(told) or told, get_args(told)
    if not isinstance(given, inner if kind is UnionType else kind):
        return f"{given!r:.60} is no {getattr(kind, '__name__', kind)}"
    parts = given.values() if isinstance(given, Mapping) else given if isinstance(given, list) else ()
    return next((wrong for one in parts if (wrong := _wrong(one, inner[-1]))), None) if inner else None
