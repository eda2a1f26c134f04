"""Defaults of a project, the variables of its `.env`, and who is told to have said them."""

import json
import os
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.attack.canaries import PLANTED
from tests.cli.conftest import Command
from trialkit.cli.environment import read_environment, variables

BASELINE = ("run", "commodity", "--ids", "S01")


def settings(trialkit: Command, *suite: str) -> dict[str, tuple[str, str]]:
    """Setting → value and who says it."""
    done = trialkit("config", *suite, "--format", "json")
    assert done.status == 0, done.err
    tables = {part["table"]: part for part in json.loads(done.out)["parts"] if "table" in part}
    return {row[0]: (row[1], row[2]) for row in tables["Settings"]["rows"]}


def latest(trialkit: Command) -> dict[str, object]:
    found: dict[str, object] = json.loads(trialkit("report", "latest", "--format", "json").out)["run"]
    return found


@pytest.mark.parametrize(
    ("file", "text", "line"),
    [
        ("trialkit.toml", 'model = "baseline"\ntrials = 2\noutput-dir = "here"\n', 2),
        ("pyproject.toml", '[project]\nname="x"\n[tool.trialkit]\nmodel="baseline"\ntrials=2\noutput_dir="here"', 5),
    ],
)
def test_a_run_takes_the_projects_defaults_and_the_command_line_goes_first(
    trialkit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str, line: int
) -> None:
    (tmp_path / file).write_text(text)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert trialkit(*BASELINE).status == 0
    assert [path.parent for path in tmp_path.rglob("*.trial")] == [tmp_path / "here"]
    run = latest(trialkit)
    assert run["subject"] == "baseline"
    assert run["settings"]["trials"] == 2  # type: ignore[index]
    assert settings(trialkit)["trials"] == ("2", f"../{file}:{line}")
    assert settings(trialkit)["retries"] == ("3", "default")
    assert f"[default: 2, by ../{file}:{line}]" in " ".join(trialkit("run", "commodity", "-h").out.split())
    assert trialkit(*BASELINE, "--trials", "1").status == 0
    assert latest(trialkit)["settings"]["trials"] == 1  # type: ignore[index]


def test_a_variable_goes_before_the_file_and_comes_from_dotenv(
    trialkit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIALKIT_MODEL", "")
    (tmp_path / "trialkit.toml").write_text('model = "openai/nobody"\n')
    assert settings(trialkit)["model"] == ("openai/nobody", "trialkit.toml:1")
    monkeypatch.delenv("TRIALKIT_MODEL")
    (tmp_path / ".env").write_text("TRIALKIT_MODEL=baseline\n")
    assert settings(trialkit)["model"] == ("baseline", "TRIALKIT_MODEL")
    assert trialkit(*BASELINE).status == 0
    assert latest(trialkit)["subject"] == "baseline"


def test_a_default_is_no_wish(trialkit: Command, tmp_path: Path) -> None:
    """Who names a judge's model on the command line wants it asked of the baseline as well; a project does not."""
    (tmp_path / "trialkit.toml").write_text('judge-model = "openai/judge"\nno-cache = true\n')
    assert trialkit(*BASELINE, "--model", "baseline").status == 0
    assert settings(trialkit, "commodity")["use-cache"] == ("no", "trialkit.toml:2")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('modle = "x"', "trialkit.toml:1: no setting is called 'modle'; did you mean model?"),
        ('model = "baseline"\n\nmax_concurrency = 0', "trialkit.toml:3: --max-concurrency 0: must be at least 1"),
        ("trials = 'many'", "trialkit.toml:1: --trials many: must be a valid integer"),
        ("trials =", "trialkit.toml: not TOML: "),
        (f"model = {'[' * 5000}", "trialkit.toml: not TOML: nested too deep"),
        (f"trials = {'9' * 5000}", "trialkit.toml: not TOML: Exceeds the limit"),
        ('output-dir = "~nobody-of-that-name/x"', 'trialkit.toml:1: "~nobody-of-that-name/x" is no path'),
        (r'output-dir = "a\u0000b"', r'trialkit.toml:1: "a\u0000b" is no path'),
        (f"a{'.a' * 100_000} = 1", "trialkit.toml: too large (200 kB; files of up to 50 kB are read)"),
        ("[trails]\n", "trialkit.toml:1: no setting is called 'trails'"),
    ],
)
def test_a_default_that_cannot_be_is_told_with_its_line(
    trialkit: Command, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "trialkit.toml").write_text(text)
    done = trialkit(*BASELINE)
    assert (done.status, said in done.err) == (2, True), done.err
    assert not list(tmp_path.rglob("*.trial"))


def test_a_setting_of_another_suite_is_passed_over(trialkit: Command, tmp_path: Path) -> None:
    (tmp_path / "trialkit.toml").write_text('model = "baseline"\nuser-model = "openai/user"\n')
    assert trialkit(*BASELINE).status == 0


def test_another_projects_pyproject_is_no_matter_of_ours(trialkit: Command, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("not toml")
    assert settings(trialkit)["trials"] == ("1", "default")


def test_dotenv_never_goes_over_what_is_set_and_never_shows_a_key(
    trialkit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "E1_OTHER"):
        monkeypatch.setenv(name, "before")
        monkeypatch.delenv(name)
    monkeypatch.setenv("E1_SET", "first")
    (tmp_path / ".env").write_text("E1_SET=second\nOPENAI_API_KEY=sk-hidden\nwhat is this\nE1_OTHER='a'\n")
    done = trialkit("config")
    assert (os.environ["E1_SET"], os.environ["OPENAI_API_KEY"]) == ("first", "sk-hidden")
    assert "sk-hidden" not in done.out
    assert [line.split() for line in done.out.splitlines() if "OPENAI_API_KEY" in line] == [
        ["OPENAI_API_KEY", "set", ".env:2"]
    ]
    assert done.err == ".env:3: passed over, since it is not NAME=VALUE\n"


def test_what_is_called_dotenv_and_is_no_file_stops_nobody(trialkit: Command, tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()  # a virtual environment
    assert trialkit("config").status == 0
    (tmp_path / ".env").rmdir()
    (tmp_path / ".env").write_bytes(b"A=\xff\xfe\n")
    assert trialkit("config").err == "passed over: .env:1: byte 3 (0xff) is not UTF-8; save the file as UTF-8\n"
    (tmp_path / ".env").unlink()
    os.mkfifo(tmp_path / ".env")
    assert trialkit("config").err.startswith("passed over: .env: a pipe, not a file; ")


def test_a_projects_file_that_is_none_is_refused(trialkit: Command, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "trialkit.toml")
    done = trialkit("config")
    assert (done.status, "trialkit.toml: a pipe, not a file" in done.err) == (2, True)


_KEPT = {**PLANTED, "TRIALKIT_AGENT_TOKEN": "C4naryH2", "TRIALKIT_NOTE": "sk-proj-C4naryI9bQ7/Lm+Zx2WcR8vNdK"}
_ADDRESSES = (
    "https://me:C4naryJ1@host.example/v1",
    "https://host.example/v1/C4naryK4thQ2wE4rT6yU8iO0",
    "https://host.example/v1?key=C4naryL5",
)


@pytest.mark.parametrize("address", _ADDRESSES)
@pytest.mark.parametrize(
    "command",
    [("config",), ("config", "--format", "json"), ("run", "commodity", "-h"), ("run", "commodity"), ("doctor",)],
    ids=" ".join,
)
def test_no_key_of_a_project_is_shown(
    trialkit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], address: str
) -> None:
    (tmp_path / "trialkit.toml").write_text(f'model = "openai/x"\napi-base = "{address}"\n')
    (tmp_path / ".env").write_text("".join(f"{name}='{value}'\n" for name, value in _KEPT.items()))
    for name in _KEPT:  # so that all are taken away again
        monkeypatch.setenv(name, "before")
        monkeypatch.delenv(name)
    monkeypatch.setenv("TRIALKIT_PRICES", "https://me:C4naryM3@host.example/prices.json")
    said = trialkit(*command).text
    assert "C4nary" not in "".join(said.split()), said
    assert command[0] != "config" or "TRIALKIT_AGENT_TOKEN" in said


def test_dotenv_as_others_write_it(tmp_path: Path) -> None:
    text = """# a comment
A=plain
export B = "with \\"quotes\\" and\\na line"
C='raw \\n # as it is'
D=value # and why
E=a#b

F=
G="two
lines" # told
H=it's
"""
    assert list(variables(text)) == [
        (2, "A", "plain"),
        (3, "B", 'with "quotes" and\na line'),
        (4, "C", "raw \\n # as it is"),
        (5, "D", "value"),
        (6, "E", "a#b"),
        (8, "F", ""),
        (9, "G", "two\nlines"),
        (11, "H", "it's"),
    ]


@given(st.text(alphabet="AB=\"'\\# \n\t$x", max_size=60))
def test_any_dotenv_is_read_line_by_line(text: str) -> None:
    found = list(variables(text))
    assert [line for line, _, _ in found] == sorted({line for line, _, _ in found})


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\r"), max_size=40))
def test_a_quoted_value_comes_back(value: str) -> None:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    assert list(variables(f'A="{quoted}"\nB=1')) == [(1, "A", value), (2 + value.count("\n"), "B", "1")]


@pytest.mark.parametrize("piece", ['A="\n', "A='\n", 'A="\\\n', "A=x #", "A= "])
def test_a_long_dotenv_is_read_in_linear_time(piece: str) -> None:
    begun = perf_counter()
    list(variables(piece * 20_000))
    assert perf_counter() - begun < 2


def test_nothing_is_read_where_there_is_none(trialkit: Command) -> None:
    assert read_environment().origins == {}
