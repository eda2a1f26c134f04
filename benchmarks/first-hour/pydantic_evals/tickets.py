import csv
from dataclasses import dataclass

from pydantic_ai import Agent
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext, LLMJudge

ASK = "Write a short reply to this ticket. Then name its team on a last line of its own: billing, shipping, returns or other."
MODEL = "openai-chat:gpt-4.1-mini"
agent = Agent(MODEL, instructions=ASK)


@dataclass
class Team(Evaluator[str, str, None]):
    def evaluate(self, ctx: EvaluatorContext[str, str, None]) -> bool:
        return ctx.output.strip().splitlines()[-1] == ctx.expected_output


async def reply(text: str) -> str:
    return (await agent.run(text)).output


with open("tickets.csv", encoding="cp1252", newline="") as file:
    rows = list(csv.DictReader(file, delimiter=";"))
judge = LLMJudge(rubric="The reply promises nothing that only a person may decide.", model=MODEL)
cases = [Case(name=row["Nr"], inputs=row["Text"], expected_output=row["Team"]) for row in rows]
dataset = Dataset(name="tickets", cases=cases, evaluators=[Team(), judge])
dataset.evaluate_sync(reply, max_concurrency=10, repeat=3).print()
