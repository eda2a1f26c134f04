"""Texts that are made of the same tools again and again."""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_KEPT = 256


class WrittenOnce(Generic[T]):
    """The same tuple goes with every request of a run: its text is made once, and found by its identity."""

    def __init__(self, write: Callable[[tuple[T, ...]], str]) -> None:
        self._write = write
        self._kept: dict[int, tuple[tuple[T, ...], str]] = {}  # what is kept here keeps its identity

    def __call__(self, things: tuple[T, ...]) -> str:
        known = self._kept.get(id(things))
        if known is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            known = self._kept[id(things)] = (things, self._write(things))
        return known[1]
