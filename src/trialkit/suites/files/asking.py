"""What a case's model is sent: texts with the case's columns in their places, and the files that a case names."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.models import File, Message
from trialkit.runfile import Prompt
from trialkit.suites.prompts import new_prompt, prompt_in
from trialkit.text.json import dump, parse
from trialkit.text.short import shown
from trialkit.text.template import CaseCells, pieces, value_in, written

from .document import Document

_FILE = re.compile(r"file\(([^()]*)\)")
_A_FILE = re.compile(r"[^\s{}]{1,250}\.(txt|md)")
_VERSION = re.compile(r"((?:.*[^\w.])?+.*?)(v[0-9].*)")


def is_file(text: str) -> bool:
    """Whether a prompt is rather the name of a file with it."""
    return bool(_A_FILE.fullmatch(text))


def asked_prompts(document: Document, folder: Path, versions: Mapping[str, str | None]) -> list[Prompt]:
    """By role: `prompt` and `system`, or `messages` as JSON. `versions` are asked for in place of the file's own."""
    texts = {"system": document.system, "prompt": document.prompt}
    found = [_prompt(role, text, folder, versions.get(role)) for role, text in texts.items() if text is not None]
    if document.messages is not None:
        found.append(_inline("messages", dump([turn.model_dump() for turn in document.messages])))
    return found


def _prompt(role: str, text: str, folder: Path, version: str | None) -> Prompt:
    """Of a file named `triage_v2.txt` or `v2.txt` the version is v2; another one stands beside it."""
    if not is_file(text):
        return _inline(role, text)
    file = Path(version) if version and is_file(version) else folder / text
    begins, own = _versioned(file.stem)
    if version and not is_file(version):
        file = file.with_name(f"{begins}{version}{file.suffix}")
        own = version
    return prompt_in(file, role, own, f"it is the {role} of this suite")


def _versioned(stem: str) -> tuple[str, str]:
    found = _VERSION.fullmatch(stem)
    return (found[1], found[2]) if found else ("", stem)


def _inline(role: str, text: str) -> Prompt:
    """Without a version of its own, it is told apart by its words."""
    return new_prompt(role, hashlib.sha256(text.encode()).hexdigest()[:8], text)


def templates_of(prompts: Mapping[str, Prompt]) -> list[tuple[str, str, str]]:
    """Where it stands, who says it, and its text, in the order of the conversation."""
    found = [("system", "system", prompts["system"].text)] if "system" in prompts else []
    if "prompt" in prompts:
        found.append(("prompt", "user", prompts["prompt"].text))
    turns = parse(prompts["messages"].text) if "messages" in prompts else []
    return [*found, *(("messages", turn["role"], turn["content"]) for turn in turns)]


def columns_of(template: str) -> list[str]:
    """Those of files too. InputError where it cannot be read."""
    found = (part.text for part in pieces(template) if part.is_column)
    return list(dict.fromkeys(file_column(one) or one for one in found))


def shows_files(template: str) -> bool:
    return any(part.is_column and file_column(part.text) for part in pieces(template))


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking:
    """Makes a case's messages."""

    templates: Sequence[tuple[str, str, str]]
    folder: Path  # that the files of the cases are named from

    def messages(self, row: CaseCells) -> tuple[Message, ...]:
        return tuple(self._message(role, template, row) for _, role, template in self.templates)

    def _message(self, role: Any, template: str, row: CaseCells) -> Message:
        texts, files = list[str](), list[File]()
        for part in pieces(template):
            column = file_column(part.text) if part.is_column else ""
            if column:
                files.append(self.file(column, value_in(row, column)))
            else:
                texts.append(written(value_in(row, part.text)) if part.is_column else part.text)
        return Message(role=role, text="".join(texts).strip(), files=tuple(files))

    def file(self, column: str, value: object) -> File:
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"column {column}: {shown(value)} names no file; write the path of a picture or a PDF")
        try:
            return File.at(self.folder / value.strip())
        except InputError as error:
            raise InputError(f"column {column}: {error}") from None


def file_column(named: str) -> str:
    found = _FILE.fullmatch(named)
    return found[1].strip() if found else ""
