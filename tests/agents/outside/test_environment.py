"""What an agent finds in its environment, and what is said where it misses something."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.e2e.program import Program, Result

USUAL = {"PATH", "HOME", "LANG", "LC_TIME", "TZ", "https_proxy", "NO_PROXY", "SSL_CERT_FILE", "PYTHONPATH"}
SECRET = {
    "OPENAI_API_KEY": "sk-of-this-test",
    "GITHUB_TOKEN": "ghp-of-this-test",
    "DATABASE_URL": "postgres://me:of-this-test@db/x",
    "SSH_AUTH_SOCK": "of-this-test",
    "MY_SETTING": "of-this-test",
}


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    program = Program(tmp_path)
    program.env |= dict.fromkeys(USUAL - {"PATH", "HOME"}, "x") | SECRET
    return program


def check(trialkit: Program, program: str, *options: str) -> Result:
    return trialkit("agents", "check", "stdio:" + shlex.join([sys.executable, "-c", f"import os\n{program}"]), *options)


def found(trialkit: Program, *options: str) -> dict[str, str]:
    check(trialkit, "import json; json.dump(dict(os.environ), open('found', 'w'))", *options)
    variables: dict[str, str] = json.loads((trialkit.folder / "found").read_text())
    return variables


def test_an_agent_finds_what_programs_need_and_no_key(trialkit: Program) -> None:
    variables = found(trialkit)
    assert variables.keys() >= USUAL
    assert not variables.keys() & SECRET.keys()
    assert not any("of-this-test" in value for value in variables.values())


def test_it_finds_what_is_named(trialkit: Program) -> None:
    variables = found(trialkit, "--agent-env", "OPENAI_API_KEY", "--agent-env", "MODE=a=b")
    assert variables.keys() & SECRET.keys() == {"OPENAI_API_KEY"}
    assert (variables["OPENAI_API_KEY"], variables["MODE"]) == ("sk-of-this-test", "a=b")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("os.environ['OPENAI_API_KEY']", "add --agent-env OPENAI_API_KEY"),
        (
            'print(\'{"n": 0, "type": "error", "message": "set OPENAI_API_KEY or MY_SETTING"}\')',
            "add --agent-env MY_SETTING --agent-env OPENAI_API_KEY",
        ),
    ],
)
def test_what_an_agent_misses_is_said(trialkit: Program, program: str, said: str) -> None:
    assert said in check(trialkit, program).out


def test_of_a_variable_that_is_set_nowhere_only_the_agent_speaks(trialkit: Program) -> None:
    told = check(trialkit, "os.environ['SOME_OTHER_KEY']").out
    assert "SOME_OTHER_KEY" in told
    assert "--agent-env" not in told


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("NOT_SET_ANYWHERE", "--agent-env NOT_SET_ANYWHERE: it is not set; export NOT_SET_ANYWHERE"),
        ("A,B", "--agent-env 'A,B': that is no name of a variable"),
        ("=x", "--agent-env ''"),
        ("", "--agent-env ''"),
        ("MY_KEY=sk-in-the-command", "--agent-env must not hold a secret (MY_KEY)"),
        ("MODE=sk-proj-0123456789abcdefghij", "--agent-env must not hold a secret (MODE)"),
        ("MODE=sk-of-this-test", "--agent-env must not hold a secret (MODE)"),
    ],
)
def test_what_cannot_be_given_is_refused(trialkit: Program, word: str, said: str) -> None:
    done = check(trialkit, "", "--agent-env", word)
    assert (done.status, said in done.err) == (2, True), done.err
    assert "=sk-" not in done.err


def test_an_agent_at_an_address_has_its_own(trialkit: Program) -> None:
    done = trialkit("agents", "check", "http://127.0.0.1:9/agent", "--agent-env", "OPENAI_API_KEY")
    assert (done.status, "is no process of trialkit's" in done.err) == (2, True)
