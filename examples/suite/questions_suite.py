"""A whole suite: questions from a CSV, each asked of a model, and judged by whether the reply holds the answer."""

import csv
from collections.abc import Mapping
from pathlib import Path

from trialkit import Case, RunSettings, Suite, Trial, Verdict


class Settings(RunSettings):
    csv: Path = Path("questions.csv")


class Questions(Suite[Settings]):
    name = "questions"
    summary = "Questions from a CSV, with one right answer each."
    settings = Settings

    def cases(self, settings: Settings) -> list[Case]:
        with settings.csv.open(encoding="utf-8-sig", newline="") as file:
            rows = enumerate(csv.DictReader(file), start=1)
            return [Case(id=str(n), title=row["question"], group="questions", data=row) for n, row in rows]

    async def attempt(self, trial: Trial[Settings]) -> dict[str, str]:
        reply = await trial.ask("model", trial.case.data["question"])
        return {"text": reply.text}

    async def judge(self, trial: Trial[Settings], output: Mapping[str, str]) -> Verdict:
        answer = trial.case.data["answer"]
        found = answer.casefold() in output["text"].casefold()
        return Verdict(
            outcome="pass" if found else "fail", critique=f"{answer} is {'' if found else 'not '}in the reply."
        )
