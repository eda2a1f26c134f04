"""From a YAML file to the suite, or to all that is wrong with it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.judges.kinds import NamedJudge
from trialkit.runfile import Prompt
from trialkit.text.json import JsonObject, members
from trialkit.text.short import shown
from trialkit.vocabulary import Case

from .asking import asked_prompts, columns_of, shows_files, templates_of
from .cases import CaseRows, cases_of, inline_rows, read_rows
from .document import Document, KeyFault, read_document, rest_of, unknown_key
from .hashes import hashes_of
from .judging import as_written, fitted, read_judges, unknown_calls
from .parts import baseline_faults, picture_faults, schema_in, tools_in
from .settings import all_settings, problems_in, settings_of
from .suite import FileSuite, Recipe
from .surroundings import EnvironmentClass
from .tools import open_tools, tool_columns
from .tree import Faults, Node, read_tree

_CODE = re.compile(r"([^:\n]+\.py)(:\w+)?")


def yaml_suite(path: Path) -> FileSuite:
    """InputError tells of all faults, each with its place."""
    faults = Faults(path)
    tree = read_tree(path, faults)
    reader = _SuiteReader(path, tree, faults)
    found = reader.read()
    faults.refuse()
    if found is None:
        raise AssertionError  # a suite that cannot be had has faults
    return FileSuite(found)


def yaml_suite_again(definition: Mapping[str, Any]) -> FileSuite:
    """From what the run file keeps, whatever became of the file."""
    document = Document.model_validate(definition["document"])
    judges, _ = read_judges(document.judges, document.headline, Path(definition["folder"]))
    settings, _ = settings_of(document, judged=any(judge.calls for judge in judges))
    return FileSuite(
        Recipe(
            name=definition["suite"],
            folder=Path(definition["folder"]),
            document=document,
            judges=judges,
            settings=settings,
            definition=dict(definition),
        )
    )


class _SuiteReader:
    def __init__(self, path: Path, tree: Node, faults: Faults) -> None:
        self._path = path
        self._folder = path.resolve().parent
        self._tree = tree
        self._faults = faults
        self._own_place = re.compile(rf"{re.escape(str(path))}:(\d+):(\d+): (.*)")

    def read(self) -> Recipe | None:
        data = self._tree.plain()
        document, problems = read_document(data, all_settings().model_fields)
        self._tell(problems)
        document = document or rest_of(data, problems)
        if document is None:
            self._look_inside(data if isinstance(data, dict) else {})
            return None
        rows = self._rows(document)
        judges, problems = read_judges(document.judges, document.headline, self._folder)
        self._tell(problems)
        document = self._whole(document)
        settings, problems = settings_of(document, judged=any(judge.calls for judge in judges))
        self._tell(problems)
        self._check_asked(document)
        self._tell(list(baseline_faults(document.baseline, self._folder)))
        if rows is None:
            return None
        self._check_columns(document, judges, rows)
        self._check_pictures(document, rows)
        judges = [self._fitted(judge, rows) for judge in judges]
        self._check_environment(document, judges, rows)
        cases = self._cases(document, rows)
        self._faults.refuse()
        name = document.name or self._path.stem
        definition = self._definition(name, document, judges)
        return Recipe(
            name=name,
            folder=self._folder_of_cases(document),
            document=document,
            judges=judges,
            settings=settings,
            definition=definition,
            cases=cases,
            notices=rows.notices,
        )

    def _look_inside(self, data: JsonObject) -> None:
        """Where something else is wrong already."""
        judges = {name: one for name, one in members(data.get("judges")).items() if isinstance(one, dict)}
        self._tell(read_judges(judges, None, self._folder)[1])
        self._tell(problems_in(members(data.get("settings")), {}, all_settings()))

    def _rows(self, document: Document) -> CaseRows | None:
        """None: there is something wrong with them."""
        try:
            if isinstance(document.cases, str):
                return read_rows(self._shown(document.cases))
            if document.cases:
                return inline_rows(document.cases, [self._places(*one) for one in enumerate(document.cases)])
            self._at("cases", "there are no cases; write one, `- {id: 1, text: …}`, or name a file with them")
        except InputError as error:
            self._at("cases", error)
        return None

    def _places(self, number: int, case: Mapping[str, Any]) -> Mapping[str, str]:
        """Of a case that stands in the suite's file itself, and of its cells."""
        steps = {"": ("cases", number), **{column: ("cases", number, column) for column in case}}
        places = {column: self._tree.place(one, value=True) for column, one in steps.items()}
        return {name: f"{self._path}:{line}:{column}" for name, (line, column) in places.items()}

    def _cases(self, document: Document, rows: CaseRows) -> list[Case]:
        try:
            return cases_of(rows, document.naming)
        except InputError as error:
            self._at("cases", error)
            return []

    def _whole(self, document: Document) -> Document:
        """With what other files say of tools and of the answer's form."""
        changes = dict[str, Any]()
        if document.tools is not None:
            changes["tools"], problems = tools_in(document.tools, self._folder)
            self._tell(problems)
        if document.output is not None:
            changes["output"], problems = schema_in(document.output, self._folder)
            self._tell(problems)
        return document.model_copy(update=changes)

    def _check_asked(self, document: Document) -> None:
        ways = [name for name in ("prompt", "messages") if getattr(document, name) is not None]
        if len(ways) > 1:
            self._at("messages", "`prompt:` and `messages:` say the same thing; remove one of them")
        if document.user is not None:
            for name in (*ways, *(["baseline"] if document.baseline else [])):
                self._at(name, f"with `user:` there is a conversation, which the user begins; remove `{name}:`")
            return
        for name in ("environment", "greeting"):
            if name in document.model_fields_set:
                self._at(name, f"`{name}:` is for a conversation; add `user:` with a goal, or remove it")
        if not ways and document.baseline is None:
            self._at("prompt", "nobody is asked anything; add `prompt:`, with a column of the cases: '{{ text }}'")
        if document.messages is not None and (not document.messages or document.messages[-1].role != "user"):
            self._at("messages", "the last of the messages must be the user's, whom the model is to answer")

    def _check_environment(self, document: Document, judges: Sequence[NamedJudge], rows: CaseRows) -> None:
        """It is made for each case once, before anything is paid."""
        if document.environment is None or document.user is None:
            return
        try:
            worlds = EnvironmentClass(document.environment, self._folder)
            named = worlds.names & {one.tool.name for one in open_tools(document.tools or [], self._folder)}
        except InputError as error:
            self._at("environment", error)
            return
        if named:
            self._at("tools", f"the environment has a tool {min(named)} already; give each a name of its own")
        for row in rows.rows:
            try:
                worlds.open(row.cells)
            except InputError as error:
                self._at("environment", f"{row.where}: {error}")
                return
        for judge in judges:
            self._tell([(("judges", judge.name), told) for told in unknown_calls(judge, worlds.names, rows)])

    def _check_columns(self, document: Document, judges: Sequence[NamedJudge], rows: CaseRows) -> None:
        """Each column that is named is one of the cases'; a case that lacks it is told."""
        for step, columns in self._named_columns(document, judges):
            for column in columns:
                if column not in rows.columns:
                    self._at(step, f"{_unknown_column(column, rows.columns)}")
                    continue
                lacking = [row.where for row in rows.rows if column not in row.cells]
                if lacking:
                    more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
                    self._at(
                        step, f"the case at {lacking[0]}{more} has no {shown(column)}; add it, `null` if there is none"
                    )

    def _check_pictures(self, document: Document, rows: CaseRows) -> None:
        with suppress(InputError):  # a prompt that cannot be read, which is told of as such
            templates = [text for _, _, text in templates_of(self._prompts(document))]
            for told in picture_faults(templates, self._folder, rows.rows):
                self._at("prompt" if document.prompt else "messages", told)

    def _fitted(self, judge: NamedJudge, rows: CaseRows) -> NamedJudge:
        found, problems = fitted(judge, rows)
        self._tell(problems)
        return found

    def _named_columns(
        self, document: Document, judges: Sequence[NamedJudge]
    ) -> Iterator[tuple[tuple[str | int, ...], list[str]]]:
        for name, wish in document.naming.wishes():
            yield (name,), [wish] if wish else []
        try:
            prompts = self._prompts(document)
        except InputError as error:
            self._at("prompt", error)
            prompts = {}
        for number, (key, role, text) in enumerate(templates_of(prompts)):
            step = (key, number - ("system" in prompts), "content") if key == "messages" else (key,)
            try:
                yield step, columns_of(text)
                if role == "system" and shows_files(text):
                    self._at(step, "a system message shows no files; put `{{ file(…) }}` into the prompt")
            except InputError as error:
                self._at(step, error)
        for judge in judges:
            try:
                yield ("judges", judge.name), sorted(judge.kind.columns(judge.settings))
            except InputError as error:
                self._at(("judges", judge.name), error)
        if document.user is not None:
            try:
                yield ("user",), sorted(document.user.columns())
            except InputError as error:
                self._at("user", error)
        yield ("tools",), sorted(tool_columns(document.tools) if isinstance(document.tools, list) else ())

    def _prompts(self, document: Document) -> Mapping[str, Prompt]:
        return {one.role: one for one in asked_prompts(document, self._folder, {})}

    def _definition(self, name: str, document: Document, judges: Sequence[NamedJudge]) -> JsonObject:
        """What the run goes on from. The cases are in the run file anyway."""
        data = document.model_dump(mode="json", exclude_unset=True)
        data |= {"judges": as_written(judges), "headline": judges[0].name if judges else None}
        if not isinstance(document.cases, str):
            data["cases"] = "in the run file"
        named = {found[1] for text in _texts(data) if (found := _CODE.fullmatch(text))}
        code = sorted(file for file in named if (self._folder / file).is_file())
        return {
            "yaml": str(self._path.resolve()),
            "suite": name,
            "folder": str(self._folder),
            "document": data,
            "files": hashes_of(self._folder, code),
        }

    def _folder_of_cases(self, document: Document) -> Path:  # noqa: ARG002
        return self._folder

    def _shown(self, file: str) -> Path:
        """As the user would name it, for messages."""
        return self._path.parent / file

    def _tell(self, problems: Sequence[KeyFault]) -> None:
        for steps, told in problems:
            self._at(steps, told)

    def _at(self, steps: str | tuple[str | int, ...], told: object) -> None:
        """What tells its own place in the file keeps it."""
        line, column = self._tree.place((steps,) if isinstance(steps, str) else steps)
        for one in str(told).splitlines():
            own = self._own_place.fullmatch(one)
            self._faults.add(*((int(own[1]), int(own[2]), own[3]) if own else (line, column, one)))


def _unknown_column(column: str, known: Sequence[str]) -> str:
    return unknown_key(column, known).replace("there is no key", "the cases have no column").replace(" here;", ";")


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _texts(part)
