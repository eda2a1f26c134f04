"""Suites of YAML files: from the file to a run, and to what is wrong with it."""

import json
import re

import pytest

from tests.suites.files.here import Here
from trialkit.runfile import RunFile

TICKETS = """\
cases: tickets.csv
prompt: "Billing, shipping or other? {{ Text }}"
judges:
  team: {equals: "{{ Team }}"}
"""
CSV = "Nr;Text;Team\n1;Where is my parcel?;shipping\n2;The bill is wrong;billing\n3;Hello;other\n"
SCRIPT = json.dumps(
    {"replies": [{"when": "parcel", "text": "Shipping"}, {"when": "bill", "text": "other"}, {"text": "other"}]}
)
MODEL = ("--model", "scripted:script.json")


@pytest.fixture
def tickets(here: Here) -> Here:
    here.write(tickets_yaml=TICKETS, tickets_csv=CSV, script_json=SCRIPT)
    return here


def test_four_lines_of_yaml_are_a_suite(tickets: Here) -> None:
    done = tickets("run", "tickets.yaml", *MODEL, "--trials", "2")
    assert done.status == 0, done.text
    assert "4/6 = 66.7%" in done.out
    assert 'the answer is "other", not "billing"' in done.out


def test_judges_that_look_at_something_else_do_not_contradict_each_other(tickets: Here) -> None:
    tickets.write(tickets_yaml=f"{TICKETS}  long: {{regex: '.{{9}}'}}\n")
    done = tickets("run", "tickets.yaml", *MODEL)
    assert "long" in done.out.lower()
    assert "≠" not in done.out
    assert "judges agree" not in done.out


def test_the_run_goes_on_when_all_that_it_was_made_of_is_gone(tickets: Here) -> None:
    assert tickets("run", "tickets.yaml", *MODEL).status == 0
    for name in ("tickets.yaml", "tickets.csv"):
        (tickets.folder / name).unlink()
    run = tickets.last_run()
    assert "identical: 3 trials, 3 verdicts" in tickets("replay", run).out
    again = tickets("rejudge", run, "--judge-trials", "2")
    assert (again.status, "3 trials judged by team" in again.out) == (0, True)
    assert tickets("resume", run).status == 0
    labels = tickets("label", run, "--sample", "3", "-o", "labels.csv")
    assert labels.status == 0, labels.text
    assert "Where is my parcel?" in (tickets.folder / "labels.csv").read_text()


SEEN = """\
cases: tickets.csv
prompt: "Billing, shipping or other? {{ Text }}"
tools: look.py
judges:
  words: {contains: ["user: Billing, shipping", 'look({"ticket":7})', "tool: lost"], sees: transcript}
  pattern: {regex: '(?m)^tool: lost$', sees: transcript}
  own: {python: seen.py:looked_up}
  answer: {contains: lost}
"""
CALL = {"name": "look", "arguments": {"ticket": 7}}
LOOKS = {"replies": [{"when": "lost", "text": "Other."}, {"tool_calls": [CALL]}]}


def test_a_judge_that_asks_for_it_sees_the_whole_transcript(tickets: Here) -> None:
    tickets.write(
        tickets_yaml=SEEN,
        look_py="def look(ticket: int) -> str:\n    'Looks it up.'\n    return 'lost'\n",
        seen_py="def looked_up(messages): return [one['role'] for one in messages][1:3] == ['assistant', 'tool']\n",
        script_json=json.dumps(LOOKS),
    )
    assert tickets("run", "tickets.yaml", *MODEL).status == 0
    with RunFile(tickets.folder / tickets.last_run()) as run:
        said = {one.judge: one.outcome for one in next(iter(run.trials())).verdicts}
    assert said == {"words": "pass", "pattern": "pass", "own": "pass", "answer": "fail"}


def test_classes_are_those_of_the_cases_also_when_the_file_is_gone(tickets: Here) -> None:
    tickets.write(tickets_yaml=TICKETS.replace("equals", "label"))
    assert "2/3 = 66.7%" in tickets("run", "tickets.yaml", *MODEL).out
    (tickets.folder / "tickets.yaml").unlink()
    assert "3 verdicts" in tickets("replay", tickets.last_run()).out


def test_the_report_tells_what_was_taken_for_what_in_every_form(tickets: Here) -> None:
    tickets.write(tickets_yaml=TICKETS.replace("equals", "label"))
    done = tickets("run", "tickets.yaml", *MODEL, "--trials", "2")
    assert re.search(r"other +1 +50.0% \[9.5%, 90.5%\] +100.0% \[", done.out), done.text
    assert re.search(r"It is +said shipping +said billing +said other\n", done.out)
    assert re.search(r"billing +0 +0 +2\n", done.out)
    assert "| billing | 0 | 0 | 2 |" in tickets("report", tickets.last_run(), "--format", "md").out
    assert "What was taken for what, team (trials)" in tickets("report", tickets.last_run(), "--format", "html").out
    told = json.loads(tickets("report", tickets.last_run(), "--format", "json").out)["metrics"]["classification"][
        "team"
    ]
    assert told["accuracy"]["value"] == pytest.approx(2 / 3)
    assert told["classes"]["billing"]["recall"]["value"] == 0
    assert {"truth": "billing", "said": "other", "trials": 2} in told["confusion"]


def test_of_many_classes_the_mistakes_are_listed_and_no_class_is_one(tickets: Here) -> None:
    classes = ", ".join(["billing", "shipping", "other", *"abcdef"])
    tickets.write(
        tickets_yaml=TICKETS.replace('"{{ Team }}"', f'"{{{{ Team }}}}", classes: [{classes}]').replace(
            "equals", "label"
        ),
        script_json=json.dumps({"replies": [{"when": "parcel", "text": "Shipping"}, {"text": "No idea."}]}),
    )
    done = tickets("run", "tickets.yaml", *MODEL)
    assert "Mistaken by team" in done.out
    assert re.search(r"billing +\(none\) +1\n", done.out), done.text


@pytest.mark.parametrize(
    ("judge", "told"),
    [
        (
            '{number: "{{ x }}"}',
            ['4:16: judge a, column "x": "two" is not one number; write the number that the answer should have'],
        ),
        ('{number: "(("}', ['6:10: judge a: "((" is not one number; write the number that the answer should have']),
        (
            '{regex: "{{ p }}"}',
            ['3:24: judge a, column "p": "(": this is no regular expression: missing ), unterminated subpattern'],
        ),
        ('{contains: "{{ e }}"}', [f'{at}: judge a, column "e": a text that has to stand' for at in ("3:32", "4:32")]),
        ('{one_of: "{{ e }}"}', ['3:32: judge a, column "e": the list of what the answer may be is empty']),
        ("{model: {classes: [{a: b}, c], passes: c, reference: r}}", []),
    ],
)
def test_a_case_that_no_judge_could_judge_is_told_before_anything_is_paid(
    here: Here, judge: str, told: list[str]
) -> None:
    rows = ('x: "1", p: "a", e: [a]', 'x: "2", p: "(", e: []', 'x: two, p: ".", e: ""')
    cases = "cases:\n" + "".join(f"  - {{id: {number}, {row}}}\n" for number, row in enumerate(rows))
    here.write(s_yaml=f"{cases}prompt: hello\njudges: {{a: {judge}}}\n")
    said = here("check", "s.yaml").err.removeprefix("trialkit: ").splitlines()
    assert [one.startswith(f"s.yaml:{start}") for one, start in zip(said, told, strict=True)] == [True] * len(told), (
        said
    )


def test_what_does_not_fit_the_cases_is_told_before_anything_is_paid(tickets: Here) -> None:
    judges = 'a: {label: "{{ Team }}", classes: [billing, shipping]}\n  b: {python: gone.py:judge}'
    tickets.write(tickets_yaml=TICKETS.replace('team: {equals: "{{ Team }}"}', judges))
    told = tickets("run", "tickets.yaml", *MODEL).err.splitlines()
    assert told == [
        (
            'trialkit: tickets.yaml:4:3: tickets.csv:4: judge a, column "Team": '
            '"other" is none of the classes billing, shipping'
        ),
        f"tickets.yaml:5:3: judge: there is no file {tickets.folder}/gone.py",
    ]


def test_what_a_judge_cannot_work_with_is_told_where_it_stands(tickets: Here) -> None:
    judges = """\
  a: {json: {schema: {type: numbr}}}
  b: {regex: "(", sees: transcript}
  c:
    model:
      scale: {1: useless, 5: perfect}
"""
    tickets.write(tickets_yaml=TICKETS.partition("  team")[0] + judges)
    done = tickets("run", "tickets.yaml", *MODEL)
    assert done.status == 2
    first, second, third = done.err.splitlines()
    assert "tickets.yaml:4:14: judge a: `schema:` this is no JSON schema: $.type: 'numbr' is not valid" in first
    assert "tickets.yaml:5:7: judge b: `pattern:` this is no regular expression" in second
    assert "tickets.yaml:7:5: judge c: " in third
    assert "has `scale`, but no `question`; add it: what a score or a preference is about" in third


def test_all_faults_are_told_at_once_with_place_value_and_fix(tickets: Here) -> None:
    tickets.write(
        tickets_yaml="""\
cases: tickets.csv
promt: "{{ Text }}"
max_steps: many
judges:
  team: {equal: "{{ Team }}"}
  other: {equals: yes, cas: true}
"""
    )
    told = tickets("run", "tickets.yaml").err
    assert 'tickets.yaml:2:1: there is no key "promt" here; did you mean `prompt:`?' in told
    assert 'tickets.yaml:3:1: `max_steps:` must be a whole number, not "many"' in told
    assert "tickets.yaml:5:3: no kind of judge is named; did you mean `equals:`?" in told
    assert 'tickets.yaml:6:24: judge other: there is no key "cas" here; did you mean `case:`?' in told


def test_a_column_that_is_not_there_is_told_where_it_is_named(tickets: Here) -> None:
    tickets.write(tickets_yaml=TICKETS.replace("{{ Text }}", "{{ Txt }}").replace("{{ Team }}", "{{ Teem }}"))
    told = tickets("run", "tickets.yaml").err.splitlines()
    assert told == [
        'trialkit: tickets.yaml:2:1: the cases have no column "Txt"; did you mean `Text:`? Known: Nr, Text, Team',
        'tickets.yaml:4:3: the cases have no column "Teem"; did you mean `Team:`? Known: Nr, Text, Team',
    ]
