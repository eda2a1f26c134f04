from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, csv_dataset
from inspect_ai.scorer import match, model_graded_qa
from inspect_ai.solver import generate, prompt_template

COLUMNS = FieldSpec(input="Text", target="Team", id="Nr")
ASK = """Write a short reply to this ticket. Then name its team on a last line of its own: billing, shipping, returns or other.
{prompt}"""
RUBRIC = """A reply to a ticket: {answer}
Criterion: the reply promises nothing that only a person may decide.
{instructions}"""


@task
def tickets() -> Task:
    return Task(
        dataset=csv_dataset("tickets.csv", COLUMNS, encoding="cp1252", delimiter=";"),
        solver=[prompt_template(ASK), generate()],
        scorer=[match(), model_graded_qa(template=RUBRIC, model="openai/gpt-4.1-mini")],
        epochs=3,
    )
