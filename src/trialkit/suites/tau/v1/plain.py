"""tau-bench's content as plain files: `{table}.json`, `wiki.md`, `rules.json`, `tools.json`, `tasks_SPLIT.json`."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from trialkit.suites.tau.common.database import Row
from trialkit.suites.tau.common.domain import ToolSchema
from trialkit.suites.tau.common.tasks import Malformed, Task
from trialkit.suites.tau.v1 import content
from trialkit.text.checked import checked
from trialkit.text.files import read_text
from trialkit.text.json import read_json


@dataclass(frozen=True, kw_only=True, slots=True)
class Plain:
    """One domain's folder."""

    folder: Path

    def policy(self) -> str:
        return read_text(self.folder / "wiki.md", content.FIX)

    def rules(self) -> list[str]:
        path = self.folder / "rules.json"
        return content.rules(read_json(path, content.FIX), str(path))

    def tool_schemas(self) -> list[ToolSchema]:
        return [content.schema(value, where) for value, where in self._list("tools.json", "tool")]

    def table(self, name: str) -> dict[str, Row]:
        return content.read_table(self.folder / f"{name}.json")

    def splits(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem.removeprefix("tasks_") for path in self.folder.glob("tasks_*.json")))

    def tasks(self, split: str) -> tuple[Task | Malformed, ...]:
        return content.tasks(split, self._list(f"tasks_{split}.json", "task"), lambda entry: entry)

    def _list(self, name: str, entry: str) -> list[tuple[object, str]]:
        """The entries of a file that holds a list, each with its place for messages."""
        path = self.folder / name
        values = checked(TypeAdapter(list[object]), read_json(path, content.FIX), path, fix=content.FIX)
        return [(value, f"{path}, {entry} {number}") for number, value in enumerate(values)]
