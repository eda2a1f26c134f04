"""What is wrong with a suite's file: told at its place, with the value and what to do, all at once."""

import pytest

from tests.suites.files.here import Here

KEYS = (
    "cases, id, group, title, tags, prompt, system, messages, user, environment, greeting, tools, max_steps, output, "
    "baseline, judges, headline, name, summary, settings, matrix"
)
HEAD = 'cases: [{id: 1, text: a}]\nprompt: "{{ text }}"\n'
JUDGES = "judges: {a: {equals: x}}\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            f'cases:\n  - {{id: 1, text: a}}\n  - {{text: b, id: 1}}\n  - {{id: "", text: c}}\nprompt: x\n{JUDGES}',
            [
                '3:19: column "id": value 1: stands at s.yaml:2:10 already; give each case an id of its own',
                '4:10: column "id": is empty; give the case an id',
            ],
        ),
        (
            f"cases:\n  - {{id: 1}}\n  - 5\nprompt: x\n{JUDGES}",
            ["3:5: item 2 of `cases:` must be a mapping of keys, not 5"],
        ),
        (
            f"cases: []\nprompt: '{{{{ text }}}}'\n{JUDGES}",
            ["1:1: there are no cases; write one, `- {id: 1, text: …}`, or name a file with them"],
        ),
        (f"cases: 5\nprompt: x\n{JUDGES}", ["1:1: `cases:` must be a file, a folder, or a list of cases, not 5"]),
        (
            f"{HEAD}{JUDGES}trials: 3\nconcurency: 5\n",
            [
                "4:1: `trials:` is a setting of runs; put it under `settings:`",
                (
                    '5:1: there is no key "concurency" here; '
                    f"did you mean `max_concurrency:` under `settings:`? Known: {KEYS}"
                ),
            ],
        ),
        (
            f"{HEAD.replace('text }', 'txt }')}{JUDGES}headline: b\ntrials: 3\nmatrix: {{trials: 3}}\nid: nr\n",
            [
                '2:1: the cases have no column "txt"; did you mean `text:`? Known: id, text',
                "4:1: there is no judge 'b'; write one of a",
                "5:1: `trials:` is a setting of runs; put it under `settings:`",
                "6:10: `trials:` must be a list, not 3",
                '7:1: the cases have no column "nr"; known: id, text',
            ],
        ),
        (
            f"{HEAD}{JUDGES}settings: {{trials: 0}}\nmax_steps: 0\n",
            [
                "4:12: `trials:` must be at least 1, not 0 (Trials of each case)",
                "5:1: `max_steps:` must be at least 1, not 0 (with tools: how many moves the model has)",
            ],
        ),
        (
            f"cases: [{{id: 1}}]\nuser: {{goal: g, persona: 5, may_tell: [1]}}\n{JUDGES}",
            [
                "2:17: `persona:` must be a text, or a list of texts, not 5",
                "2:40: item 1 of `may_tell:` must be text, not 1",
            ],
        ),
        (
            f"{HEAD}{JUDGES}id: nr\ngroup: txt\n",
            [
                '4:1: the cases have no column "nr"; known: id, text',
                '5:1: the cases have no column "txt"; did you mean `text:`? Known: id, text',
            ],
        ),
        (
            f"{HEAD}judges: {{a: equals, b: {{number: 1, within: near}}}}\n",
            [
                "3:10: `a:` must name a kind of judge, such as {equals: '{{ column }}'}, not \"equals\"",
                '3:36: judge b: `within:` must be a number, not "near" (how far it may be off)',
            ],
        ),
        (
            f"{HEAD}judges: {{b: {{number: 1, within: near}}}}\n",
            ['3:25: judge b: `within:` must be a number, not "near" (how far it may be off)'],
        ),
        (
            f"cases: [{{id: 1, text: a}}]\nmessages: [{{rol: user, content: x}}]\n{JUDGES}",
            [
                "2:12: there is no `role:`; add it: who says it: system, user or assistant",
                '2:13: there is no key "rol" here; did you mean `role:`? Known: role, content',
            ],
        ),
        (
            f"cases: [{{id: 1, text: a}}]\nprompt: {{{{ text }}}}\n{JUDGES}",
            ["2:10: a key must be a word; put a text with braces in quotes: '{{ column }}'"],
        ),
        (
            f"{HEAD}{JUDGES}tools:\n  - {{name: a, parameters: 5}}\n  - {{nam: b}}\n  - 5.5\n",
            ["7:5: item 3 of `tools:` must be FILE.py:NAME, or a schema with `name:` and `parameters:`, not 5.5"],
        ),
        (
            f"{HEAD}{JUDGES}tools:\n  - {{name: a, parameters: 5}}\n  - {{nam: b}}\n",
            [
                "5:5: tool a: `parameters:` must be the JSON schema of an object: {type: object, …}",
                '6:5: a tool needs a name; found {"nam": "b"}',
            ],
        ),
        (
            f"{HEAD}{JUDGES}output:\n  type: object\n  properties: {{a: {{type: objct}}}}\n",
            [
                "6:20: no JSON schema: properties: a: type: 'objct' is not valid under any of the given schemas",
            ],
        ),
        (f"{HEAD}{JUDGES}baseline: s.py:f\n", ["4:1: baseline: there is no file FOLDER/s.py"]),
        (
            f"cases: [{{id: 1, text: a}}, {{id: 2, text: ''}}]\nprompt: '{{{{ file(text) }}}}'\n{JUDGES}",
            [
                (
                    "1:23: column text: FOLDER/a: cannot be read: No such file or directory; name a picture (PNG, "
                    "JPEG, GIF, WebP) or a PDF"
                ),
                '1:41: column text: "" names no file; write the path of a picture or a PDF',
            ],
        ),
    ],
)
def test_a_fault_stands_at_its_place(here: Here, text: str, told: list[str]) -> None:
    here.write(s_yaml=text)
    done = here("check", "s.yaml")
    said = done.err.replace(str(here.folder), "FOLDER").removeprefix("trialkit: ").splitlines()
    assert (done.status, said) == (2, [f"s.yaml:{one}" for one in told])


@pytest.mark.parametrize(
    ("suite", "model", "told"),
    [
        (HEAD, "baseline", "--model baseline: s has none; add `baseline: FILE.py:NAME`, a function that answers"),
        (
            "cases: [{id: 1}]\nbaseline: base.py:answer\n",
            "openai/gpt-4o",
            "--model openai/gpt-4o: s asks nothing; add `prompt:`, or run its baseline",
        ),
    ],
)
def test_a_subject_that_cannot_be_asked_is_told_before_the_run(here: Here, suite: str, model: str, told: str) -> None:
    here.write(s_yaml=suite + JUDGES, base_py="def answer(case):\n    return 'x'\n")
    done = here("run", "s.yaml", "--model", model)
    assert (done.status, done.err) == (2, f"trialkit: {told}\n")
