"""`trialkit check`: what a suite would do, told without doing it."""

import json

import pytest

from tests.suites.files.here import Here

SUITE = """\
cases: tickets.csv
group: Kind
system: Be brief.
prompt: "Sort {{ file(Photo) }}: {{ Text }}"
output: {type: object, properties: {team: {type: string}}}
judges:
  team: {json: {path: $.team, value: "{{ Team }}"}}
  short: {python: "judge.py:short"}
settings: {trials: 3}
"""
CSV = "Nr;Text;Team;Kind;Photo\n1;Where is it?;shipping;easy;cat.png\n2;The bill;billing;hard;cat.png\n"


@pytest.fixture
def sorting(here: Here) -> Here:
    here.write(sorting_yaml=SUITE, tickets_csv=CSV, judge_py="def short(answer, case):\n    return len(answer) < 9\n")
    (here.folder / "cat.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    return here


def test_it_is_ready_to_run_where_whoever_is_asked_can_be(sorting: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    without = sorting("check", "sorting.yaml", "--model", "openai/gpt-5").out
    assert "ready to run" not in without
    assert "this is lacking: model (openai/gpt-5): no key for openai" in " ".join(without.split())
    monkeypatch.setenv("OPENAI_API_KEY", "of-this-test")
    with_key = sorting("check", "sorting.yaml", "--model", "openai/gpt-5").out
    assert with_key.startswith("sorting: ready to run\n")
    assert "lacking" not in with_key


def test_the_whole_first_request_and_every_judge_is_shown(sorting: Here) -> None:
    done = sorting("check", "sorting.yaml")
    assert (done.status, done.err) == (0, "")
    for told in (
        "2 cases",
        "Be brief.",
        "Sort : Where is it?",
        "cat.png",
        "image/png",
        "108 B",
        '"team"',
        'is "shipping"',
        "short(answer, case)",
        "team decides",
    ):
        assert told in done.out, told
    assert ["trials", "3"] in [line.split() for line in done.out.splitlines()]
    assert not (sorting.folder / "eval_results").exists()


def test_another_case_and_settings_as_in_a_run(sorting: Here) -> None:
    page = json.loads(sorting("check", "sorting.yaml", "--case", "2", "--trials", "5", "--format", "json").out)
    passages = {part["passage"]: part["text"] for part in page["parts"] if "passage" in part}
    assert passages["user"] == "Sort : The bill"
    assert {"name": "trials", "value": "5"} in page["parts"][0]["facts"]
    assert "--case 7: there is no such case; there are 1, 2" in sorting("check", "sorting.yaml", "--case", "7").err


def test_files_are_found_from_the_suites_folder(sorting: Here) -> None:
    inside = Here(sorting.folder / "inside")
    inside.folder.mkdir()
    done = inside("check", "../sorting.yaml")
    assert done.status == 0, done.text


def test_all_faults_at_once_and_judges_in_python_are_loaded(sorting: Here) -> None:
    wrong = SUITE.replace("{{ Text }}", "{{ Txt }}").replace("judge.py:short", "judge.py:shrt")
    sorting.write(sorting_yaml=wrong)
    done = sorting("check", "sorting.yaml")
    assert done.status == 2
    first, second = done.err.splitlines()
    assert first.startswith('trialkit: sorting.yaml:4:1: the cases have no column "Txt"; did you mean `Text:`?')
    assert second.startswith("sorting.yaml:8:3: judge: ")
    assert second.endswith("has no shrt; did you mean short?")


def test_a_suite_that_is_installed_is_checked_as_well(here: Here) -> None:
    asked = here("check", "commodity")
    assert (asked.status, "You are a risk analyst" in asked.out, "Prompt of judge" in asked.out) == (0, True, True)
    answered = here("check", "commodity", "--model", "baseline")
    assert "nobody is asked" in answered.out
    assert not (here.folder / "eval_results").exists()


def test_a_service_on_trial_is_not_called(here: Here) -> None:
    done = here("check", "commodity", "--analyzer-url", "http://127.0.0.1:1/analyze")
    assert (done.status, "what the analyzer is sent first" in done.out) == (0, True), done.text
