"""Packages whose names are loaded when they are asked for: a command pays for what it uses, and for nothing else."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import getattr_static
from typing import Any


def door(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package: of `homes`, module → the names that it gives."""
    where = {name: home for home, names in homes.items() for name in names.split()}

    def enter(name: str) -> object:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(__import__(f"{package}.{where[name]}", fromlist=["*"]), name)
        setattr(sys.modules[package], name, value)  # found there from now on
        return value

    return enter


def loaded(name: str) -> Any:
    """For the attribute of a class: `module:name`, loaded when it is asked for."""
    return _Loaded(name)


class _Loaded:
    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, _instance: object, _owner: type) -> object:
        module, _, name = self._name.partition(":")
        return getattr(import_module(module), name)


def is_loaded_late(owner: object, name: str) -> bool:
    return isinstance(getattr_static(owner, name, None), _Loaded)
