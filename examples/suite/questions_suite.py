"""A whole suite: questions from a CSV, each asked of a model, and judged by whether the reply holds the answer."""

import csv
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from trialkit.errors import InputError
from trialkit.models import Connection, Message, Request, Traffic, open_model
from trialkit.runfile import PlannedTrial, Prompt, RecordedTrial, RunFile
from trialkit.settings import RunSettings
from trialkit.suites import Details, Material, Trial
from trialkit.suites.roles import subject_spec
from trialkit.vocabulary import Case, Verdict


class Settings(RunSettings):
    csv: Path = Field(Path("questions.csv"), description="CSV with the columns question and answer.")


class Bench:
    judges = ("contains",)

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def connect(self, traffic: Traffic, *, judging: bool = False) -> Mapping[str, Connection]:
        return {} if judging else {"model": open_model(subject_spec(self._settings), traffic)}

    async def attempt(self, trial: Trial) -> Mapping[str, Any]:
        messages = (Message(role="user", text=trial.case.title),)
        request = Request(messages=messages, temperature=self._settings.temperature, seed=trial.seed)
        reply = await trial.ask("model", request)
        return {"text": reply.text}

    async def judge(self, trial: Trial, output: Mapping[str, Any]) -> Sequence[Verdict]:
        answer = trial.case.data["answer"]
        found = answer.casefold() in output["text"].casefold()
        critique = f"{answer} is {'in' if found else 'not in'} the reply: {output['text']}"
        return [Verdict(judge="contains", outcome="pass" if found else "fail", critique=critique)]


class Suite:
    name = "questions"
    summary = "Questions from a CSV, with one right answer each."
    settings = Settings
    beside = ("json",)

    def load(self, settings: Settings) -> Material:
        try:
            text = settings.csv.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise InputError(f"--csv {settings.csv}: cannot be read: {error.strerror}") from None
        cases = [_case(settings.csv, number, row) for number, row in enumerate(csv.DictReader(text.splitlines()), 1)]
        return Material(
            subject=settings.model,
            cases=cases,
            trials=[PlannedTrial(case_id=case.id, number=n + 1) for case in cases for n in range(settings.trials)],
            prompts=[],
            versions={"questions": hashlib.sha256(text.encode()).hexdigest()},  # `compare` tells if they differ
        )

    def bench(self, settings: Settings, _prompts: Mapping[str, Prompt]) -> Bench:
        return Bench(settings)

    def facts(self, _trial: RecordedTrial) -> Mapping[str, Any]:
        return {}

    def details(self, _run: RunFile) -> Details:
        return Details()

    def exports(self, _run: RunFile) -> Mapping[str, str]:
        return {}


def _case(path: Path, number: int, row: Mapping[str, str | None]) -> Case:
    question, answer = row.get("question"), row.get("answer")
    if not question or not answer:
        raise InputError(f"{path}: row {number}: fill in question and answer")
    return Case(id=str(number), title=question, group="questions", data={"answer": answer})


SUITE = Suite()
