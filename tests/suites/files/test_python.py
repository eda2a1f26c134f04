"""Suites of Python files and of objects in modules."""

import json

import pytest

from tests.e2e.program import Program
from tests.suites.files.here import Here
from trialkit.runfile import RunFile

ODD = """
from trialkit import Case, Suite, Verdict

GOOD = "odd"

class Odd(Suite):
    name = "odd"

    def roles(self, settings, prompts):
        return {}

    def cases(self, settings):
        return [Case(id=str(n), title=f"{n}?", group="numbers", data={"n": n}) for n in range(4)]

    async def attempt(self, trial):
        return {"said": "odd" if trial.case.data["n"] % 2 else "even"}

    async def judge(self, trial, output):
        return Verdict(outcome="pass" if output["said"] == GOOD else "fail", critique="seen")
"""


FUNCTIONS = """
def cases():
    return [{"id": "a", "text": "Where is my parcel?", "team": "shipping"}, {"id": "b", "text": "Hi", "team": "bills"}]

async def attempt(trial):
    return await trial.ask("model", f"Which team? {trial.case.data['text']}")

def judge(answer, case):
    return answer == case["team"], f"it says {answer}"
"""
NOBODY_ASKED = (
    FUNCTIONS.replace("async def attempt(trial)", "def attempt(case)")
    .replace('await trial.ask("model", f"Which team? {trial.case.data[\'text\']}")', "{'team': 'shipping'}")
    .replace("(answer, case)", "(value, answer, case)")
    .replace("answer ==", "value['team'] ==")
)


def test_three_functions_are_a_suite(here: Here) -> None:
    replies = [{"when": "parcel", "text": "shipping"}, {"text": "other"}]
    here.write(tickets_py=FUNCTIONS, own_py=NOBODY_ASKED, script_json=json.dumps({"replies": replies}))
    for named, *model in (["tickets.py", "--model", "scripted:script.json"], ["own.py"]):
        done = here("run", named, *model, "--trials", "2")
        assert (done.status, "2/4 = 50.0%" in done.out, "it says" in done.out) == (0, True, True), done.text
        assert "identical: 4 trials, 4 verdicts" in here("replay", here.last_run()).out
        assert here("report", here.last_run()).out.startswith("own: own" if not model else "tickets: scripted")
        assert here("rejudge", here.last_run(), "--judge-trials", "2").status == 0


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("def judge", "def jdge", "bad.py: there is no function judge; write cases, attempt, judge"),
        ("attempt(trial)", "attempt(trial, x)", "bad.py: attempt asks for x; it can ask for trial and case"),
        ("judge(answer", "judge(anser", "bad.py:judge asks for anser; a judge can ask for answer, case, "),
        ("return [", "return 5 or [", "bad.py: cases() gives 5, not a list of cases; write [{…}, {…}]"),
        ('"id": "b"', '"id": "a"', 'bad.py: case 2: column "id": value a: stands at bad.py: case 1 already'),
    ],
)
def test_functions_that_are_no_suite_are_told(here: Here, before: str, after: str, told: str) -> None:
    here.write(bad_py=FUNCTIONS.replace(before, after))
    done = here("run", "bad.py", "--model", "openai/gpt-4o")
    assert (done.status, told in done.err) == (2, True), done.err


@pytest.mark.parametrize("named", ["odd.py", "odd.py:Odd", "odd.py:SUITE", "odd_module:Odd"])
def test_a_suite_of_a_python_file_runs_and_its_run_goes_on_without_its_name(named: str, here: Here) -> None:
    here.write(odd_py=ODD + ("\nSUITE = Odd()\n" if named.endswith("SUITE") else ""), odd_module_py=ODD)
    done = here("run", named, "--trials", "2")
    assert done.status == 0, done.text
    assert "4/8 = 50.0%" in done.out
    run = here.last_run()
    assert "identical: 8 trials" in here("replay", run).out
    assert here("report", run).status == 0
    assert here("plan", named).status == 0


def test_a_file_that_was_changed_since_is_told_and_used_as_it_is(here: Here) -> None:
    here.write(odd_py=ODD)
    assert here("run", "odd.py").status == 0
    here.write(odd_py=ODD + "# longer\n")
    again = here("rejudge", here.last_run(), "--judge-trials", "2")
    assert f"{here.folder / 'odd.py'} was changed since this run began; it is used as it is now" in again.err
    assert again.status == 0
    assert "was changed since" in here("resume", here.last_run()).err


def test_a_run_whose_file_is_gone_is_still_reported(here: Here) -> None:
    here.write(odd_py=ODD)
    assert here("run", "odd.py").status == 0
    (here.folder / "odd.py").unlink()
    report = here("report", here.last_run())
    assert (report.status, "50.0%" in report.out) == (0, True)
    gone = here("resume", here.last_run())
    assert (gone.status, "there is no file" in gone.err) == (2, True)


@pytest.mark.parametrize("named", ["odd.py", "odd:Odd"])
def test_to_look_at_a_run_starts_no_other_code_than_the_runs(named: str, here: Here) -> None:
    """Each command in a process of its own, which has loaded nothing yet."""
    look = Program(here.folder)
    here.write(odd_py=ODD + "\nopen('started', 'a').close()\n")
    assert look("run", named).status == 0
    run, started = str(look.last_run()), here.folder / "started"
    started.unlink()
    assert "Shown without" not in look("report", run).out
    assert started.exists()
    here.write(odd_py=ODD + "\nopen('started', 'w').close()\n")
    started.unlink()
    for command in (["report"], ["compare", run], ["align"]):
        done = look(*command, run)
        assert not started.exists(), done.text
    shown = look("report", run).out
    assert "50.0%" in shown
    assert f"{here.folder / 'odd.py'} is not as it was when the run began" in " ".join(shown.split())
    assert look("rejudge", run, "--judge-trials", "2").status == 0
    assert started.exists()


def test_what_is_no_suite_is_said(here: Here) -> None:
    here.write(none_py="X = 1\n", two_py=f"{ODD}\nONE, TWO = Odd(), Odd()\n", broken_py="1/0\n", args_py=ODD + _ARGS)
    assert "none.py: it has no suite: write a class" in here("run", "none.py").err
    assert "name one: two.py:ONE, two.py:TWO" in here("run", "two.py").err
    assert "ZeroDivisionError: division by zero (broken.py:1)" in here("run", "broken.py").err
    assert "there is no file" in here("run", "gone.py").err
    assert "is no suite" in here("run", "none.py:X").err
    assert "has no Ood; did you mean Odd?" in here("run", "args.py:Ood").err
    assert "cannot be made without arguments" in here("run", "args.py:Needy").err


_ARGS = """
class Needy(Odd):
    def __init__(self, more):
        self.more = more
"""


def test_what_a_suite_is_made_of_stands_in_the_run_file(here: Here) -> None:
    here.write(odd_py=ODD)
    assert here("run", "odd.py").status == 0
    with RunFile(here.folder / here.last_run()) as run:
        definition = run.info().definition
    assert definition is not None
    assert definition["python"] == "odd.py"
    assert list(definition["files"]) == [str(here.folder / "odd.py")]
