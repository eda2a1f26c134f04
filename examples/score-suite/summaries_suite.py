"""A suite whose trials are worth 1 to 5: a model writes a summary, another grades it."""

from collections.abc import Mapping
from typing import Any

from trialkit import Case, JudgeSettings, Measure, ModelJudge, Suite, Tool, Trial, Verdict

TEXTS = {
    "harvest": "Dry weeks in June cost the valley a third of its wheat; the maize, sown late, came through unharmed.",
    "ferry": "The ferry to the island leaves twice a day, but not in a storm; then mail and guests wait.",
}
SCORE = {"type": "integer", "minimum": 1, "maximum": 5}
SCHEMA = {"type": "object", "properties": {"score": SCORE, "why": {"type": "string"}}, "required": ["score", "why"]}


def read(said: Mapping[str, Any]) -> Verdict:
    if said["score"] not in range(1, 6):
        raise ValueError(f'"score" must be 1 to 5, not {said["score"]!r}')
    return Verdict(outcome="scored", score=said["score"], critique=str(said["why"]))


JUDGE = ModelJudge(tool=Tool(name="grade", description="Grades a summary.", parameters=SCHEMA), read=read)


class Summaries(Suite[JudgeSettings]):
    name = "summaries"
    summary = "Summaries of short texts, graded from 1 to 5."
    settings = JudgeSettings
    measures = (Measure(name="quality", low=1, high=5),)

    def cases(self, _settings: JudgeSettings) -> list[Case]:
        return [Case(id=name, title=text, group="texts", data={"text": text}) for name, text in TEXTS.items()]

    async def attempt(self, trial: Trial[JudgeSettings]) -> dict[str, str]:
        return {"summary": (await trial.ask("model", f"In at most ten words: {trial.case.data['text']}")).text}

    async def judge(self, trial: Trial[JudgeSettings], output: Mapping[str, str]) -> Verdict:
        asked = f"<text>{trial.case.data['text']}</text>\n<summary>{output['summary']}</summary>"
        return await JUDGE.verdict(trial, "Grade the summary: 5 is complete and true, 1 is neither.", asked)
