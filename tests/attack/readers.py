"""Whatever reads a text of a model, an agent or a stranger: a function that reads it, or says what is wrong with it."""

import atexit
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.suites.commodity.samples import answer, scenario
from trialkit.agents.outside.protocol import AgentFault, ProtocolError, read_answer
from trialkit.agents.text import read_action
from trialkit.analysis.results_csv import read_results
from trialkit.errors import InputError, JudgeError
from trialkit.models import Reply, Secrets, ToolCall
from trialkit.models.protocols import NothingUsableError, get_protocol
from trialkit.models.script import Script
from trialkit.suites.commodity.alerts import read_response
from trialkit.suites.commodity.judging import JUDGE
from trialkit.suites.commodity.rows import read_golden
from trialkit.suites.commodity.rules import judge_by_rules
from trialkit.suites.prompts import read_prompt
from trialkit.suites.tau.importing.importer import read_file
from trialkit.suites.tau.users import message_in
from trialkit.suites.tau.v2.toolkit import calculated
from trialkit.text.json import JsonError, load, parse
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


def _spoken(name: str) -> Read:
    """A server's answer, in a wire format."""
    protocol = get_protocol(name)

    def read(text: str) -> None:
        data = load(text)
        if isinstance(data, dict):
            protocol.usage(data)
            protocol.reply(data)

    return read


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
    "a prompt": Reader(
        _file(lambda path: read_prompt("judge", "v1", str(path.parent), path.parent), "v1.txt"), (InputError,)
    ),
    "a text to be shown": Reader(shown),
    "a text to be stored": Reader(whole_text),
    "a text that may hold keys": Reader(
        Secrets(["sk-proj-4fT9/aB+q7LmZx2=WcR8vNd", "aaaaaaaaaaaaaaaa1", "{}{}{}{}{}a1"]).hide
    ),
}
