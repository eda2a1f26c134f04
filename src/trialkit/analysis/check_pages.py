"""What a suite would do, as a page: its cases, what is asked first, and what each judge looks at."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trialkit.engine import Rehearsal
from trialkit.models import Message, Request, Tool
from trialkit.pages import Cell, Code, Count, Facts, Heading, Name, Note, Page, Part, Passage, Prose, Table
from trialkit.settings import RunSettings
from trialkit.text.json import dump, pretty
from trialkit.text.shown import counted, file_size
from trialkit.text.template import written
from trialkit.vocabulary import JudgeInUse


def check_page(found: Rehearsal) -> Page:
    cases = {trial.case_id for trial in found.content.trials}
    parts: list[Part] = [Note(text=notice, loud=True) for notice in found.content.notices]
    parts.append(Facts(rows=(("cases", counted(len(cases), "case")), *_settings(found.settings))))
    parts += _groups(found, cases)
    parts.append(Heading(text=f"Case {found.case.id}: {_who(found)}"))
    parts += _sent(found)
    parts.append(Heading(text="Judges"))
    parts += _judges(found)
    parts += [Note(text=f"To run it here, this is lacking: {fault}", loud=True) for fault in found.lacking]
    parts.append(Note(text="Nothing was asked, and nothing spent.", strong=True))
    state = "nothing is wrong with it" if found.lacking else "ready to run"
    return Page(title=f"{found.suite.name}: {state}", parts=tuple(parts))


def _settings(settings: RunSettings) -> Iterator[tuple[str, Cell | str]]:
    """Who is on trial and how often, and whatever else somebody chose."""
    for name, value in settings.to_data().items():
        field = RunSettings.model_fields.get(name)
        usual = field.get_default() if field else None
        if name in {"model", "trials"} or value not in (usual, None, (), [], False, str(usual)):
            told = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield name.replace("_", " "), Code(told) if "model" in name else told


def _groups(found: Rehearsal, tried: set[str]) -> Iterator[Table]:
    groups = Counter(case.group for case in found.content.cases if case.id in tried)
    if len(groups) > 1:
        rows = tuple((Name(group, most=40), Count(number)) for group, number in sorted(groups.items()))
        yield Table(title="Cases by group", columns=("Group", "Cases"), rows=rows)


def _who(found: Rehearsal) -> str:
    return f"what the {found.role} is sent first" if found.role else "nobody is asked"


def _sent(found: Rehearsal) -> Iterator[Part]:
    if found.unknown:
        yield Note(text=f"It cannot be told here what is sent: {found.unknown}", loud=True)
    elif isinstance(found.asked, Request):
        yield from _request(found.asked)
    elif found.asked is not None:
        yield Passage(title="said", text=found.asked)
    elif found.output is not None:
        yield Passage(title="the answer", text=_readable(found.output))


def _readable(output: Mapping[str, Any]) -> str:
    text = output.get("text")
    return text if isinstance(text, str) else pretty(output)


def _request(request: Request) -> Iterator[Part]:
    for message in request.messages:
        yield from _message(message)
    if request.tools:
        yield Table(title="Tools", columns=("Tool", "Parameters", "What it is for"), rows=_tools(request.tools))
    if request.output is not None:
        yield Passage(title="Form of the answer (JSON schema)", text=pretty(request.output).rstrip())
    rest = {
        "temperature": request.temperature,
        "reasoning": request.reasoning,
        "max tokens": request.max_tokens,
        "tools as": request.tools_as,
        "tool to call": request.tool_choice,
        "in the body besides": request.extra and dump(request.extra),
    }
    if told := tuple((name, str(value)) for name, value in rest.items() if value is not None):
        yield Facts(rows=told)


def _message(message: Message) -> Iterator[Part]:
    yield Passage(title=message.role, text=message.text or "(no text)")
    if message.files:
        rows = tuple((Code(str(file.path)), file.media_type, file_size(file.size)) for file in message.files)
        yield Table(title="Files with it", columns=("File", "Kind", "Size"), rows=rows)


def _tools(tools: Sequence[Tool]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (Name(tool.name, most=40), Prose(", ".join(tool.parameters.get("properties", {}))), Prose(tool.description))
        for tool in tools
    )


def _judges(found: Rehearsal) -> Iterator[Part]:
    if not found.judges:
        yield Note(text="Nobody judges.")
        return
    rows = tuple(
        (Name(judge.name, most=40), judge.kind, Prose(_does(judge, found.explained), lines=20))
        for judge in found.judges
    )
    first = f"{found.judges[0].name} decides. " if len(rows) > 1 else ""
    measures = "; ".join(str(one) for one in found.suite.measures)
    yield Table(title="", columns=("Judge", "Kind", "What it does"), rows=rows, note=f"{first}Measured: {measures}.")
    for prompt in found.judging:
        yield Passage(title=f"Prompt of {prompt.role} ({prompt.version})", text=written(prompt.text))


def _does(judge: JudgeInUse, explained: Mapping[str, str]) -> str:
    asks = f"asks {judge.model}" if judge.model else ""
    return "; ".join(filter(None, (explained.get(judge.name, ""), asks))) or "judges by rules of its own"
