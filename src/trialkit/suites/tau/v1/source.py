"""Finds the content of tau-bench and reads it: a checkout of the public repository, or the same as plain files.

The content is never part of trialkit. In a checkout the tasks, rules and tool schemas are Python files; they
are read as literals and never executed.
"""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

from trialkit.errors import InputError
from trialkit.paths import cache_dir

from .checkout import Checkout
from .plain import Plain

HOME_VARIABLE = "TAU_BENCH_HOME"
_FETCH = "trialkit data fetch tau-bench"

#: One domain's content, equal if it is the same folder. Reading raises InputError.
Layout = Checkout | Plain


def find(domain: str, data_dir: Path | None = None) -> Layout:
    """The domain's content, from the first place that holds it. InputError if a place named by the user does not."""
    if data_dir is not None:
        return _named(domain, data_dir, "the data folder that was given")
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return _named(domain, Path(home), f"from {HOME_VARIABLE}")
    looked = []
    for path, because in _usual_places():
        layout = detect(domain, path)
        if layout is not None:
            return layout
        looked.append(f"{path} ({because})")
    raise InputError(
        f"no tau-bench content for {domain}: neither a data folder nor {HOME_VARIABLE} was given, and there is none in "
        f"{' or '.join(looked)}; run `{_FETCH}`, or point {HOME_VARIABLE} at a checkout of sierra-research/tau-bench"
    )


def detect(domain: str, folder: Path) -> Layout | None:
    """How the folder lays the domain out; None if it does not hold it."""
    folder = folder.resolve()
    for root in (folder / "tau_bench" / "envs", folder / "envs"):
        if (root / domain / "tools" / "__init__.py").is_file():
            return Checkout(folder=root / domain)
    if (folder / domain / "tools.json").is_file():
        return Plain(folder=folder / domain)
    return None


def _named(domain: str, path: Path, because: str) -> Layout:
    """From a place that the user named, or not at all: another one would be a silent surprise."""
    layout = detect(domain, path)
    if layout is None:
        raise InputError(
            f"{path} ({because}) holds no tau-bench content for {domain}: neither "
            f"tau_bench/envs/{domain}/tools/__init__.py, as in a checkout of sierra-research/tau-bench, nor "
            f"{domain}/tools.json, as in plain files; name the right folder, or run `{_FETCH}` and name none"
        )
    return layout


def _usual_places() -> Iterator[tuple[Path, str]]:
    """Where content may lie, and how we came to look there."""
    # find_spec of a top-level name finds the package without importing it.
    spec = importlib.util.find_spec("tau_bench")
    for path in (spec.submodule_search_locations if spec else None) or ():
        yield Path(path), "the installed package tau_bench"
    yield cache_dir() / "data" / "tau-bench", "the user's cache"
