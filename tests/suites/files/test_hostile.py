"""A suite's file that means harm, or is no suite at all: refused in a line or a few, at once, and nothing is run."""

import os
import sys
from time import process_time

import pytest

from tests.suites.files.here import Here

REST = 'prompt: "{{ x }}"\njudges: {a: {equals: x}}\n'
LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{LAUGHS}cases: *a11\n{REST}", "more than 200,000 values, aliases written out"),
        (f"cases: {'[' * 50_000}", "nested more than 100 deep"),
        (f"cases: {'{a: ' * 50_000}", "nested more than 100 deep"),
        (f"cases: !!python/object/apply:os.mkdir [run]\n{REST}", "means nothing here; remove it"),
        (f"cases: &a [*a]\n{REST}", "the alias *a stands inside of what it names"),
        (f"cases: pipe.csv\n{REST}", "pipe.csv: a pipe, not a file"),
        (f"cases: zero.csv\n{REST}", "zero.csv: a device, not a file"),
        ("cases: [{x: a}]\nprompt: zero.txt\njudges: {a: {equals: x}}", "zero.txt: a device, not a file"),
        (f"cases: [{{x: a}}]\noutput: zero.csv\n{REST}", "zero.csv: a device, not a file"),
        (
            f'cases: [{{x: a}}]\nprompt: "{"{{ " * 50_000}"\njudges: {{a: {{equals: x}}}}',
            "is never closed; write }} after the column",
        ),
        (f'cases: [{{x: a}}]\nprompt: "{{{{ file({" " * 50_000}x }}}}"\njudges: {{a: {{equals: x}}}}', "no column"),
        ("".join(f"k{n}: 1\n" for n in range(3000)), "suite.yaml: 2,952 more of them"),
    ],
)
def test_a_hostile_suite_is_refused_at_once(here: Here, text: str, said: str) -> None:
    os.mkfifo(here.folder / "pipe.csv")
    for name in ("zero.csv", "zero.txt"):
        (here.folder / name).symlink_to("/dev/zero")
    here.write(suite_yaml=text)
    began = process_time()
    done = here("plan", "suite.yaml", "--model", "openai/gpt-4o")
    assert (done.status, said in done.err) == (2, True), done.err[:2000]
    assert process_time() - began < 5
    assert len(done.err) < 12_000
    assert not (here.folder / "run").exists()


def test_a_file_of_gigabytes_is_refused_by_its_size(here: Here) -> None:
    with (here.folder / "suite.yaml").open("wb") as file:
        file.truncate(900_000_000)  # takes no room on the disk; to be read, it took 1.8 GB and 10 s
    done = here("plan", "suite.yaml", "--model", "openai/gpt-4o")
    assert (done.status, "too large (900 MB; files of up to 5 MB are read)" in done.err) == (2, True), done.err


def test_a_prompt_that_only_ends_like_a_file_is_a_prompt(here: Here) -> None:
    """No file has so long a name, and no message quotes it."""
    here.write(suite_yaml=f"cases: [{{x: a}}]\nprompt: '{'v1' * 50_000}.txt'\njudges: {{a: {{equals: x}}}}\n")
    done = here("plan", "suite.yaml", "--model", "openai/gpt-4o")
    assert (done.status, len(done.text) < 10_000) == (0, True), done.err[:2000]


KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8"


@pytest.mark.parametrize(
    ("setting", "flag"),
    [
        ("settings: {api_base: 'http://me:w0rd-of-mine@127.0.0.1:1/v1'}", "`api_base:`"),
        (f"settings: {{agent_env: [MODE={KEY}]}}", "`agent_env:`"),
        (f"matrix: {{agent: ['stdio:x {KEY}']}}", "`agent:`"),
    ],
)
def test_a_secret_in_the_settings_is_refused(here: Here, setting: str, flag: str) -> None:
    """Even where another stands on the command line: the run file keeps what stands in the suite."""
    here.write(suite_yaml=f"cases: [{{x: a}}]\n{setting}\n{REST}")
    done = here("run", "suite.yaml", "--model", "baseline", "--api-base", "http://127.0.0.1:1/v1")
    assert (done.status, f": {flag} must not hold a secret" in done.err) == (2, True), done.err
    assert not {"w0rd-of-mine", KEY} & set(done.text.split())
    assert not (here.folder / "run").exists()


@pytest.mark.parametrize("option", [("--name", KEY), ("--tag", f"a={KEY}"), ("--agent-env", f"MODE={KEY}")])
def test_a_secret_in_an_option_is_refused(here: Here, option: tuple[str, str]) -> None:
    here.write(suite_yaml=f"cases: [{{x: a}}]\n{REST}", said_json='{"replies": [{"text": "x"}]}')
    done = here("run", "suite.yaml", "--model", "scripted:said.json", *option)
    assert (done.status, f"{option[0]} must not hold a secret" in done.err) == (2, True), done.err
    assert KEY not in done.text
    assert not list(here.folder.rglob("*.trial"))


def test_to_look_at_a_run_runs_no_python_of_its_suite(here: Here) -> None:
    """A run file may come from anybody, and so may what it names."""
    judge = "import pathlib\npathlib.Path(__file__).with_name('ran').touch()\ndef fair(answer):\n    return True\n"
    suite = f"cases: [{{x: a}}]\n{REST.replace('equals: x', 'python: own.py:fair')}"
    here.write(suite_yaml=suite, own_py=judge, said_json='{"replies": [{"text": "x"}]}')
    assert here("run", "suite.yaml", "--model", "scripted:said.json").status == 0
    (here.folder / "ran").unlink()
    run = here.last_run()
    looks = [("report", run), ("show", run, "1"), ("compare", run, run), ("align", run), ("runs",), ("trend", "suite")]
    for command in [*looks, ("replay", run)]:
        for name in [name for name in sys.modules if name.startswith("trialkit_loaded_")]:
            del sys.modules[name]
        here(*command)
        assert (here.folder / "ran").exists() is (command[0] == "replay"), command
