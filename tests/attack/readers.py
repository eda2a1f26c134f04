"""Whatever reads a text of a model, an agent or a stranger: a function that reads it, or says what is wrong with it."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.attack.judged import JUDGED
from tests.suites.commodity.samples import answer, scenario
from trialkit.agents.a2a.client import interface_of, text_of
from trialkit.agents.outside.protocol import AgentFault, ProtocolError, read_answer
from trialkit.agents.text import read_action
from trialkit.analysis.results_csv import read_results
from trialkit.cli.defaults import with_defaults
from trialkit.cli.environment import variables
from trialkit.errors import InputError, JudgeError, ModelError
from trialkit.models import Reply, Secrets, ToolCall
from trialkit.models.own_prices import read_own
from trialkit.models.protocols import NothingUsableError, get_protocol
from trialkit.models.script import Script
from trialkit.settings import RunSettings
from trialkit.suites.commodity.alerts import read_response
from trialkit.suites.commodity.judging import JUDGE
from trialkit.suites.commodity.rows import read_golden
from trialkit.suites.commodity.rules import judge_by_rules
from trialkit.suites.files.cases import Naming, cases_of, read_rows
from trialkit.suites.prompts import read_prompt
from trialkit.suites.tau.importing.importer import read_file
from trialkit.suites.tau.users import message_in
from trialkit.suites.tau.v2.toolkit import calculated
from trialkit.text.json import JsonError, load, members, parse
from trialkit.text.short import shown
from trialkit.text.whole import whole_text

Read = Callable[[str], object]


class Reader(NamedTuple):
    read: Read
    says: tuple[type[Exception], ...] = ()  # what it raises, to say what is wrong; all else is a mistake of ours

    def __call__(self, text: str) -> bool:
        """Whether it could be read."""
        try:
            self.read(text)
        except self.says:
            return False
        return True


def _rules(text: str) -> None:
    rules = ("must mention size", "mention risk and p&l", 'mention "a b"', "mention hedge or spread")
    judge_by_rules(scenario(*rules), answer("below 4.1", reasoning=text))


def _rule(text: str) -> None:
    judge_by_rules(scenario(f"must suggest {text}", text), answer("below 4.1", reasoning="No."))


def _line(text: str) -> None:
    for kind in ("start", "user", "results", "end"):
        read_answer(text, {"type": kind, "n": 1})


def _file(read: Callable[[Path], object], name: str) -> Read:
    folder = Path(tempfile.mkdtemp(prefix="trialkit-attack-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)

    def reader(text: str) -> object:
        path = folder / name
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return read(path)

    return reader


def _defaults(text: str) -> None:
    folder, before = Path(tempfile.mkdtemp(prefix="trialkit-attack-")), Path.cwd()
    (folder / "trialkit.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    os.chdir(folder)
    try:
        with_defaults(RunSettings)
    finally:
        os.chdir(before)
        shutil.rmtree(folder)


def _spoken(name: str) -> Read:
    """A server's answer, in a wire format."""
    protocol = get_protocol(name)

    def read(text: str) -> None:
        data = load(text)
        if isinstance(data, dict):
            protocol.usage(data)
            protocol.reply(data)

    return read


def _cases(path: Path) -> None:
    cases_of(read_rows(path), Naming())


def _a2a(text: str) -> None:
    data = members(load(text))
    for read in (interface_of, text_of):
        with suppress(ModelError):
            read(data)


READERS: Mapping[str, Reader] = {
    "reasoning, by rules": Reader(_rules),
    "a rule of criteria": Reader(_rule),
    "a quotation of criteria": Reader(
        lambda text: judge_by_rules(scenario(f'mention "{text[:999]}"'), answer(reasoning=text))
    ),
    "a judge's text": Reader(lambda text: JUDGE.parse(Reply(text=text)), (JudgeError,)),
    "a judge's call": Reader(
        lambda text: JUDGE.parse(Reply(text="", tool_calls=(ToolCall(id="1", name="record_verdict", arguments=text),))),
        (JudgeError,),
    ),
    "an answer in a CSV": Reader(read_response, (ValueError,)),
    "an action in a text": Reader(read_action),
    "a simulated user's message": Reader(message_in),
    "an agent's line": Reader(_line, (ProtocolError, AgentFault)),
    "an expression": Reader(calculated, (ValueError, ArithmeticError)),
    "an answer of openai": Reader(_spoken("openai"), (NothingUsableError,)),
    "an answer of anthropic": Reader(_spoken("anthropic"), (NothingUsableError,)),
    "JSON": Reader(lambda text: parse(text, unique=True, finite=True), (JsonError,)),
    "a script of replies": Reader(_file(lambda path: Script(str(path)), "script.json"), (InputError,)),
    "a golden CSV": Reader(_file(read_golden, "golden.csv"), (InputError,)),
    "a CSV of labels": Reader(
        _file(lambda path: read_results(path, needs=("Human Outcome",)), "labels.csv"), (InputError,)
    ),
    "a trajectory": Reader(_file(read_file, "results.json"), (InputError,)),
    "cases in a CSV": Reader(_file(_cases, "cases.csv"), (InputError,)),
    "cases in JSON": Reader(_file(_cases, "cases.json"), (InputError,)),
    "cases in lines of JSON": Reader(_file(_cases, "cases.jsonl"), (InputError,)),
    "prices": Reader(_file(read_own, "prices.json"), (InputError,)),
    "an answer of an A2A agent": Reader(_a2a),
    "a project's defaults": Reader(_defaults, (InputError,)),
    "a project's variables": Reader(lambda text: list(variables(text))),
    "a prompt": Reader(
        _file(lambda path: read_prompt("judge", "v1", str(path.parent), path.parent), "v1.txt"), (InputError,)
    ),
    **{name: Reader(read, (JudgeError,)) for name, read in JUDGED.items()},
    "a text to be shown": Reader(shown),
    "a text to be stored": Reader(whole_text),
    "a text that may hold keys": Reader(
        Secrets(["sk-proj-4fT9/aB+q7LmZx2=WcR8vNd", "aaaaaaaaaaaaaaaa1", "{}{}{}{}{}a1"]).hide
    ),
}
