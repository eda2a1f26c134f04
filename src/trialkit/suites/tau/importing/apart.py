"""tau2's results whose simulations stand in files of their own, in the folder `simulations` beside `results.json`."""

from pathlib import Path

from trialkit.errors import InputError
from trialkit.text.files import kind_of
from trialkit.text.json import Json, JsonObject

from .reading import read_results

_RESULTS, _FOLDER = "results.json", "simulations"


def results_in(path: Path) -> Path:
    """Of such a folder its `results.json`; any other path as it is."""
    try:
        return path / _RESULTS if kind_of(path) and (path / _RESULTS).is_file() else path
    except OSError:
        return path


def files(path: Path, index: Json) -> list[Path]:
    """In the order of the index, which says what there must be; without one, all that lie there."""
    folder = path.parent / _FOLDER
    there = {one.stem: one for one in sorted(folder.glob("*.json"))}
    if not there:
        raise InputError(f"{path}: holds no simulations, and no folder {folder} does; give the whole folder of the run")
    if not isinstance(index, list):
        return list(there.values())
    named = [str(one.get("id")) for one in index if isinstance(one, dict)]
    if missing := [name for name in named if name not in there]:
        raise InputError(
            f"{folder}: {len(missing)} of {len(named)} simulations that {path} lists are not there "
            f"({missing[0]}.json); give the whole folder of the run"
        )
    if strange := sorted(there.keys() - set(named)):
        raise InputError(f"{there[strange[0]]}: {path} does not list it; take away what is of another run")
    return [there[name] for name in named]


def read(file: Path) -> JsonObject:
    value = read_results(file)
    if not isinstance(value, dict):
        raise InputError(f"{file}: is no simulation of tau2's, which is an object; give the file as it was written")
    return value
