"""What a shell offers while a command is being typed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class

from tests.run_files import case, ended, verdict, write_run
from trialkit.cli import cli
from trialkit.cli.completion import complete_quickly

DOCS = Path(__file__).resolve().parents[2] / "docs" / "install.md"
RUN = "eval_results/20260101T000000.000Z-s-m.trial"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "eval_results").mkdir()
    write_run(tmp_path / RUN, [(case("a"), [ended(verdict("pass"))])])
    return tmp_path


def offered(*words: str, shell: str = "zsh") -> list[str]:
    complete_quickly()
    found = get_completion_class(shell)
    assert found is not None
    *args, incomplete = words
    return [item.value for item in found(cli, {}, "trialkit", "_TRIALKIT_COMPLETE").get_completions(args, incomplete)]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["rep"], ["replay", "report"]),
        (["run", "com"], ["commodity"]),
        (["plan", "tau2/r"], ["tau2/retail"]),
        (["report", "l"], ["latest"]),
        (["compare", "latest", ""], ["latest", RUN]),
        (["resume", "--errors", "eval_results/2026"], [RUN]),
        (["run", "commodity", "--against", ""], ["latest", RUN]),
        (["run", "commodity", "--judge-model", "openai/gpt-4.1-mi"], ["openai/gpt-4.1-mini"]),
        (["run", "commodity", "--analyzer-u"], ["--analyzer-url"]),
        (["run", "commodity", "--judge", "b"], ["both"]),
        (["report", "latest", "--format", "j"], ["json", "junit"]),
        (["data", "fe"], ["fetch"]),
        (["frobnicate", "x"], []),
    ],
)
def test_what_may_stand_there_is_offered(folder: Path, words: list[str], wanted: list[str]) -> None:
    found = offered(*words)
    assert [name for name in found if not name.startswith("openai/gpt-4.1-mini-")] == wanted


def test_runs_are_those_of_the_projects_folder(folder: Path) -> None:
    (folder / "trialkit.toml").write_text('output-dir = "elsewhere"\n')
    assert offered("report", "") == ["latest"]
    (folder / "elsewhere").mkdir()
    (folder / RUN).rename(folder / "elsewhere" / "a.trial")
    assert offered("report", "e") == ["elsewhere/a.trial"]
    (folder / "trialkit.toml").write_text("output-dir = \n")
    assert offered("report", "") == []


def test_models_come_after_their_provider(folder: Path) -> None:
    assert {"openai/", "anthropic/"} <= set(offered("run", "commodity", "--model", ""))
    assert "anthropic/claude-sonnet-4-5-20250929" in offered("run", "commodity", "--model", "anthropi")


def test_the_lines_of_the_docs_make_shells_complete(folder: Path) -> None:
    """bash is asked; the others are not on every machine, so that only their scripts are looked at."""
    (lines,) = re.findall(r"^```sh\n(# bash\n.*?)^```", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    tab = "COMP_WORDS=(trialkit report eval); COMP_CWORD=2; _trialkit_completion trialkit; echo ${COMPREPLY[@]}"
    done = subprocess.run(
        ["bash", "-euc", f"{lines}\nbash -c '. ~/.bashrc; {tab}'"],
        env={**os.environ, "PATH": path, "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == (f"{RUN}\n", 0), done.stderr
    assert "#compdef trialkit" in (folder / ".trialkit-completion.zsh").read_text()
    assert "complete --no-files --command trialkit" in (folder / ".config/fish/completions/trialkit.fish").read_text()


@pytest.mark.parametrize("words", ["run com", "report l", "run commodity --model openai/gpt-5"])
def test_what_is_asked_for_most_loads_no_command(folder: Path, words: str) -> None:
    script = (
        "import sys\nfrom trialkit.cli import main\ntry: main()\nexcept SystemExit: pass\n"
        "print(*{'pydantic', 'rich', 'yaml', 'trialkit.suites', 'trialkit.engine'}.intersection(sys.modules))"
    )
    *_, begun = words.split()
    asked = {"_TRIALKIT_COMPLETE": "fish_complete", "COMP_WORDS": f"trialkit {words}", "COMP_CWORD": begun}
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **asked}, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("plain,")
    assert done.stdout.splitlines()[-1] == ""
