"""Versioned prompts: a file `FOLDER/VERSION.txt`, the user's own before ours."""

import hashlib
from importlib.resources.abc import Traversable
from pathlib import Path

from trialkit.errors import InputError
from trialkit.runfile import Prompt
from trialkit.text.files import read_text


def read_prompt(role: str, version: str, folder: str, shipped: Traversable) -> Prompt:
    """`folder` is looked for in the working directory, then among the `shipped` prompts of the suite."""
    places = (Path(folder), Path(str(shipped)) / folder)
    for place in places:
        if version in _versions(place):
            return prompt_in(place / f"{version}.txt", role, version)
    known = "; ".join(f"{', '.join(found)} in {place}" for place in places if (found := _versions(place)))
    raise InputError(f"there is no {role} prompt {version!r}; there is {known}; write {folder}/{version}.txt to add it")


def _versions(place: Path) -> list[str]:
    if not place.is_dir():
        return []
    return sorted(file.name.removesuffix(".txt") for file in place.iterdir() if file.name.endswith(".txt"))


def prompt_in(file: Path, role: str, version: str, fix: str = "") -> Prompt:
    text = read_text(file, fix)
    if not text.strip():
        raise InputError(f"{file}: is empty; write the {role} prompt in it")
    return new_prompt(role, version, text)


def new_prompt(role: str, version: str, text: str) -> Prompt:
    return Prompt(role=role, version=version, hash=hashlib.sha256(text.encode()).hexdigest(), text=text)
