"""Three small suites whose trials are scored: the model's reply is the score, and nothing else is looked at."""

from collections.abc import Mapping, Sequence

from pydantic import Field

from trialkit.models import Message, Request
from trialkit.settings import RunSettings
from trialkit.suites import Suite, Trial
from trialkit.vocabulary import Case, Measure, Verdict


class Settings(RunSettings):
    number: int = Field(12, ge=1, description="How many cases there are.")
    env: str = Field("dev", description="Where the model runs.")


class Scores(Suite[Settings]):
    settings = Settings

    def cases(self, settings: Settings) -> Sequence[Case]:
        return [
            Case(id=f"Q{n}", title=f"Question {n}", group=("even", "odd")[n % 2], data={"n": n})
            for n in range(1, settings.number + 1)
        ]

    async def attempt(self, trial: Trial[Settings]) -> Mapping[str, str]:
        asked = Message(role="user", text=f"Question {trial.case.data['n']}, trial {trial.number}.")
        return {"text": (await trial.ask("model", Request(messages=(asked,)))).text}

    async def judge(self, trial: Trial[Settings], output: Mapping[str, str]) -> Verdict:
        score, *further = map(float, output["text"].split())
        names = [measure.name for measure in self.measures[1:]]
        return Verdict(
            outcome="scored", critique=f"{score:g} it is.", score=score, scores=dict(zip(names, further, strict=True))
        )


class Quality(Scores):
    name = "quality"
    measures = (Measure(name="quality", low=0, high=1), Measure(name="brevity", low=0, high=1))


class Place(Scores):
    name = "place/here"
    measures = (Measure(name="stars", low=1, high=5),)


class Stars(Scores):
    name = "stars"
    measures = (Measure(name="stars", low=1, high=5),)


class Latency(Scores):
    name = "latency"
    measures = (Measure(name="latency", low=0, higher_is_better=False, unit="s"),)
