"""The program itself: help, errors, other suites, broken surroundings."""

import csv
import json
import os
import re
import resource
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.e2e.test_commodity import model, results
from tests.e2e.waiting import wait_for
from tests.server import Call, Fault, Say, Server
from trialkit.cli import COMMANDS, cli

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("litellm", "numpy", "aiohttp", "pydantic", "rich", "sqlite3", "asyncio")


def test_help_is_quick_because_it_loads_little(trialkit: Program) -> None:
    code = (
        "import sys\nfrom trialkit.cli import main\n"
        "try:\n    main(['--help'])\n"
        f"except SystemExit:\n    print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=trialkit.env)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_command_has_help(trialkit: Program) -> None:
    listed = trialkit("--help")
    for name in COMMANDS:
        assert f"  {name}" in listed.out
        done = trialkit(name, "--help")
        assert done.status == 0, done.err
        assert done.out.startswith(f"Usage: trialkit {name}")


def every_command(context: click.Context) -> Iterator[click.Context]:
    yield context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            assert command is not None
            with click.Context(command, context, name) as below:
                yield from every_command(below)


def test_every_help_ends_with_an_example_and_fits_80_columns() -> None:
    with click.Context(cli, info_name="trialkit") as context:
        found = {below.command_path: below.get_help() for below in every_command(context)}
    assert len(found) > len(COMMANDS)
    for path, text in found.items():
        start = path if path != "trialkit" else "trialkit init"
        assert text.splitlines()[-1].startswith(f"  Example: {start}"), path
        assert max(map(len, text.splitlines())) <= 80, path
        assert not re.search(r"[a-z]\.\.\.$", text, re.MULTILINE), path  # a sentence that was cut off


def test_what_a_suite_rarely_needs_stands_last_in_its_help(trialkit: Program) -> None:
    text = trialkit("run", "commodity", "--help").out
    titles = [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert titles == ["This suite:", "Every run:", "Gates:", "Rarely needed:"]
    assert text.index("--trials") < text.index("Gates:") < text.index("--min-pass") < text.index("--judge-api-base")


@pytest.mark.parametrize(
    ("command", "titles"),
    [
        ([], ["Options:", "Begin:", "Run:", "Look:", "Judges and people:", "Content and agents:", "Set up:"]),
        (["compare"], ["Options:", "Gates:", "Looks and noise:"]),
        (["resume"], ["Options:", "Every run:", "Gates:", "Rarely needed:"]),
        (["rejudge"], ["Options:", "Every run:", "Rarely needed:"]),
    ],
)
def test_commands_and_options_stand_under_headings(trialkit: Program, command: list[str], titles: list[str]) -> None:
    text = trialkit(*command, "--help").out
    assert [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")] == titles


def test_the_seeds_flags_are_there_with_their_defaults(trialkit: Program) -> None:
    text = " ".join(trialkit("run", "commodity", "--help").out.split())
    seed = "--csv --analyzer-prompt --judge-prompt --output-dir --verbose -v --skip-analysis --skip-judge"
    assert [flag for flag in seed.split() if flag not in text] == []
    assert text.count("[default: v1]") == 2
    assert "[default: eval_results]" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "comodity"], ["comodity", "did you mean commodity"]),
        (["run", "tau2"], ["tau2: which suite? There are tau2/airline, tau2/retail"]),
        (["rnu", "commodity"], ["'rnu'", "did you mean run? see: trialkit --help"]),
        (["data", "fecht"], ["did you mean fetch? see: trialkit data --help"]),
        (["run", "commodity", "--trials", "0"], ["--trials", "0"]),
        (["run", "commodity", "--trials", "many"], ["--trials", "many"]),
        (["run", "commodity", "--judge", "jury"], ["--judge", "jury"]),
        (["run", "commodity", "--min-pass", "90"], ["--min-pass 90: ", "0.9 for 90%"]),
        (["run", "commodity", "--trials", "0"], ["--trials 0: must be at least 1"]),
        (["run", "commodity", "--modle", "baseline"], ["--modle", "--model", "see: trialkit run commodity --help"]),
        (["run", "commodity", "--model", "baseline", "--csv", "other.csv"], ["other.csv:1: not a golden CSV", "init"]),
        (["report", "."], [".: no run in it or in the folders below", "trialkit run"]),
        (["report", "other.csv"], ["not a run file", "trialkit runs"]),
        (["report"], ["RUN", "see: trialkit report --help"]),
        (["run", "commodity", "--model", "baseline", "--ids", "S77"], ["S77", "S01"]),
        (["run", "commodity", "--model", "baseline", "--ids", ""], ["--ids: names no scenario"]),
        (["run", "commodity", "--csv", "nowhere.csv"], ["nowhere.csv"]),
        (["run", "commodity", "--model", "baseline", "--output-dir", "file/x"], ["file", "output folder"]),
        (["run", "commodity", "--analyzer-url", "http://u:p@h/", "--judge", "rules"], ["--analyzer-url", "password"]),
        (["run", "commodity", "--analyzer-header", "no colon"], ["--analyzer-header", "Name: value"]),
        (["run", "commodity", "--skip-analysis", "--skip-judge"], ["nothing to do"]),
        (
            ["run", "commodity", "--model", "baseline", "--analyzer-prompt", "v1"],
            ["--analyzer-prompt v1: baseline is no model and reads no prompt; leave it out"],
        ),
        (
            ["run", "commodity", "--analyzer-url", "http://127.0.0.1:1/", "--analyzer-prompt", "v2"],
            ["--analyzer-prompt v2: the service at --analyzer-url has prompts of its own"],
        ),
        (["run", "commodity", "--analyzer-header", "X-User-ID: 1"], ["--analyzer-url"]),
        (["run", "commodity", "--analyzer-url", "http://127.0.0.1:1/a"], ["ANTHROPIC_API_KEY", "--judge rules"]),
        (["run", "commodity", "--model", "gpt-4o-minni"], ["gpt-4o-minni", "provider/model"]),
        (["resume", "gone.trial"], ["gone.trial", "trialkit runs"]),
        (["runs", "nowhere"], ["nowhere"]),
        (["frobnicate"], ["frobnicate"]),
    ],
)
def test_bad_usage_is_told_and_exits_2(trialkit: Program, arguments: list[str], words: list[str]) -> None:
    (trialkit.folder / "file").write_text("")
    (trialkit.folder / "other.csv").write_text("prompt,expected,Description\nhi,hello,a greeting\n")
    done = trialkit(*arguments)
    assert done.status == 2
    assert done.err.startswith("trialkit: ")
    assert done.err.count("\n") == 1
    for word in words:
        assert word in done.err
    assert not trialkit.run_files()


def test_reports_in_every_format(trialkit: Program, server: Server, court: Court) -> None:
    court.met = False
    assert trialkit("run", "commodity", *model(server), "--ids", "S01,S06", "--trials", "2").status == 0
    path = trialkit.last_run()
    data = json.loads(trialkit("report", str(path), "--format", "json").out)
    assert data["run"]["prompts"]["judge"]["version"] == "v1"
    assert data["metrics"]["pass_rate"]["value"] == 0
    assert data["metrics"]["pass_rate"]["high"] > 0.2
    kinds = [event["kind"] for event in data["cases"][0]["trials"][0]["transcript"]]
    assert kinds == ["message", "reply", "message", "reply"]
    suite = ET.fromstring(trialkit("report", str(path), "--format", "junit").out)  # noqa: S314 - our own
    assert (suite.get("tests"), suite.get("failures")) == ("4", "4")
    assert "| S06 |" in trialkit("report", str(path), "--format", "md").out
    assert trialkit("report", str(path), "--format", "csv").out == path.with_suffix(".csv").read_text()
    to_file = trialkit("report", str(path), "--format", "md", "-o", "report.md")
    assert (to_file.status, to_file.out) == (0, "")
    assert (trialkit.folder / "report.md").read_text().startswith("## commodity")
    assert trialkit("report", str(path), "-o", "no/such/folder").status == 2
    assert trialkit("report", str(path)).out.startswith("commodity: openai/subject · analyzer v1 (20")


def test_runs_are_listed_with_their_rate_and_state(trialkit: Program, server: Server) -> None:
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    server.latency = 5
    process = trialkit.start("run", "commodity", *model(server))
    wait_for(lambda: bool(server.requests))
    process.kill()
    process.communicate()
    (trialkit.results / "broken.trial").write_text("?")
    done = trialkit("runs", "--format", "json")
    assert done.status == 0
    listed = {run["subject"]: run for run in json.loads(done.out)}
    assert listed["baseline"]["state"] == "done"
    assert listed["baseline"]["pass_rate"]["n"] == 10
    assert listed["openai/subject"]["state"] == "killed"
    assert "broken.trial" in done.err
    everything = trialkit("runs").out
    assert "2 runs" in everything
    assert str(trialkit.run_files()[0].relative_to(trialkit.folder)) in everything
    only = trialkit("runs", "--subject", "BASE", "--suite", "commodity", "--state", "done")
    assert "1 run, 1 more filtered out" in only.out
    assert json.loads(trialkit("runs", "--suite", "other", "--format", "json").out) == []


def test_a_run_is_called_by_its_name_prompt_and_tags(trialkit: Program, server: Server) -> None:
    wrong = trialkit("run", "commodity", "--model", "baseline", "--tag", "branch")
    assert (wrong.status, wrong.err) == (2, "trialkit: --tag branch: must be KEY=VALUE, such as branch=main\n")
    named = ("--ids", "S01", "--name", "a / gentler one", "--tag", "branch=main", "--tag", "by = me")
    assert trialkit("run", "commodity", *model(server), *named).status == 0
    path = trialkit.last_run()
    assert path.name.endswith("Z-commodity-a-gentler-one-v1.trial")
    called = "a / gentler one · openai/subject · analyzer v1 · branch=main · by=me"
    for told in (trialkit("runs"), trialkit("report", str(path)), trialkit("compare", str(path), str(path))):
        assert called in " ".join(told.out.split()), told.out
    found = json.loads(trialkit("trend", "--subject", "BRANCH=main", "--format", "json").out)
    assert [(run["name"], run["tags"]) for run in found] == [("a / gentler one", ["branch=main", "by=me"])]
    assert found[0]["prompts"] == {"analyzer": "v1", "judge": "v1"}
    assert json.loads(trialkit("trend", "--subject", "branch=other", "--format", "json").out) == []
    both = json.loads(trialkit("compare", str(path), str(path), "--format", "json").out)
    assert (both["a"]["name"], both["a"]["tags"], both["differs"]) == (found[0]["name"], found[0]["tags"], [])


def test_the_list_of_runs_tells_what_their_reports_tell(trialkit: Program, server: Server) -> None:
    trialkit.env["TRIALKIT_PRICES"] = str(trialkit.folder / "prices.json")
    price = {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}
    (trialkit.folder / "prices.json").write_text(json.dumps({"openai/subject": price, "openai/judge": price}))
    assert trialkit("run", "commodity", *model(server), "--trials", "2").status == 0
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    server.behave(Fault(kind="bad_request"))
    assert trialkit("run", "commodity", *model(server), "--no-cache").status == 3
    listed = json.loads(trialkit("runs", "--format", "json").out)
    assert [one["errors"] for one in listed] == [10, 0, 0]
    assert listed[2]["cost_usd"]["value"] > 1
    for one in listed:
        metrics = json.loads(trialkit("report", one["file"], "--format", "json").out)["metrics"]
        assert one["pass_rate"] == metrics["pass_rate"]
        assert one["cost_usd"] == pytest.approx(metrics["cost_usd"])
        assert (one["errors"], one["open"]) == tuple(metrics["trials"][name]["value"] for name in ("errors", "open"))


def install(trialkit: Program, entry_point: str, group: str = "trialkit.suites", **modules: str) -> None:
    """A package of someone else's, with a suite called echo, or what the group is of."""
    site = trialkit.folder / "site"
    info = site / "echo_suite-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: echo-suite\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{group}]\necho = {entry_point}\n")
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text)
    trialkit.env["PYTHONPATH"] = str(site)


@pytest.mark.parametrize(
    ("entry_point", "says"),
    [
        ("no_such_module:SUITE", "cannot be loaded: ModuleNotFoundError"),
        ("json:loads", "is no suite, or of the shape before API 1: this trialkit wants a trialkit.suites.Suite of API"),
        ("echo_suite:Old", "is no suite, or of the shape before API 1: this trialkit wants a trialkit.suites.Suite of"),
        ("echo_suite:Later", "was written for API 2; this trialkit wants a trialkit.suites.Suite of API 1"),
        ("echo_suite:Eager", "cannot be made without arguments"),
    ],
)
def test_a_suite_that_is_broken_hides_no_other(trialkit: Program, entry_point: str, says: str) -> None:
    install(trialkit, entry_point, echo_suite=ECHO_SUITE)
    for listed in (trialkit("suites"), trialkit("run", "--help"), trialkit("plan", "--help")):
        assert listed.status == 0
        assert "commodity" in listed.out
        told = f"suite echo: {entry_point}, of the package echo-suite, {says}"
        assert "".join(told.split()) in "".join(listed.out.split())  # wherever its lines break
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    wanted = trialkit("run", "echo", "--loud")
    assert wanted.status == 2
    assert says in wanted.err
    assert "docs/suites.md" in wanted.err or entry_point == "no_such_module:SUITE"


def test_a_suite_that_fails_when_asked_hides_no_other(trialkit: Program) -> None:
    failing = (
        ECHO_SUITE
        + """
class Failing(Echo):
    def sources(self): raise RuntimeError("no disk")
    starter = importers = sources
"""
    )
    install(trialkit, "echo_suite:Failing", echo_suite=failing)
    for method, done, told in (
        ("sources", trialkit("data"), "tau-bench"),
        ("starter", trialkit("init", "new"), "next: cd new"),
        ("importers", trialkit("import", "--help"), "--rescore"),
    ):
        assert (done.status, told in done.out) == (0, True), done.text
        assert "suite echo" in done.err
        assert f"its {method} cannot be had: RuntimeError: no disk" in done.err


@pytest.mark.parametrize("named", ["SUITE", "Echo"])
def test_a_package_of_someone_else_adds_a_suite(trialkit: Program, named: str) -> None:
    install(trialkit, f"echo_suite:{named}", echo_suite=ECHO_SUITE)
    assert "Repeats itself." in trialkit("suites").out
    done = trialkit("run", "echo", "--loud", "--trials", "2")
    assert done.status == 3, done.text
    data = json.loads(trialkit("report", str(trialkit.last_run()), "--format", "json").out)
    good, bad = (case["trials"] for case in data["cases"])
    assert [trial["output"] for trial in good] == [{"said": "A!"}, {"said": "A!"}]
    assert bad[0]["error"] == {"kind": "crash", "message": "ValueError: b is not sayable"}
    assert bad[0]["transcript"][-1]["kind"] == "crash"
    assert trialkit("replay", str(trialkit.last_run())).status == 0


NAMELESS_SUITE = """
from trialkit import Case, RunSettings, Suite, Verdict

class Settings(RunSettings):
    needed: int

class Plain(Suite):
    name = "echo"
    settings = Settings

    def cases(self, settings):
        return [Case(id="a", title="", group="g", data={})]

    async def attempt(self, trial):
        return {}

    async def judge(self, trial, output):
        return Verdict(outcome="pass", critique="")
"""


def test_a_suite_without_a_summary_is_listed_and_a_missing_setting_shows_no_other(trialkit: Program) -> None:
    install(trialkit, "echo_suite:Plain", echo_suite=NAMELESS_SUITE)
    assert "echo" in trialkit("suites").out.splitlines()
    done = trialkit("run", "echo", "--api-base", "http://user:secret@localhost")
    assert (done.status, "--needed: Field required" in done.err, "secret" in done.err) == (2, True, False)


def test_examples_install_where_trialkit_is_in_no_registry() -> None:
    for file in (ROOT / "examples").glob("*/pyproject.toml"):
        assert "dependencies" not in tomllib.loads(file.read_text())["project"], file


def test_a_suite_with_a_score_among_the_examples(trialkit: Program, server: Server) -> None:
    """It is reported, compared and gated by its score, and its judge is asked again where it says none."""
    installed(trialkit, "score-suite", "trialkit.suites")
    assert len((ROOT / "examples" / "score-suite" / "summaries_suite.py").read_text().splitlines()) <= 40
    grades = {"harvest": [9, 4], "ferry": [3]}

    def respond(body: dict[str, Any], _protocol: object) -> Say:
        if not body.get("tools"):
            return Say(text="It was dry.")
        case = "harvest" if "wheat" in body["messages"][1]["content"] else "ferry"
        score = grades[case].pop(0) if len(grades[case]) > 1 else grades[case][0]
        return Say(
            text="",
            calls=(Call(name="grade", arguments={"score": score, "why": "so"}),),
        )

    server.respond = respond
    models = ["--model", "openai/subject", "--judge-model", "openai/judge", "--api-base", server.openai_base]
    done = trialkit("run", "summaries", *models, "--min-score", "3.4")
    assert done.status == 0, done.text
    first = trialkit.last_run()
    data = json.loads(trialkit("report", str(first), "--format", "json").out)
    assert [case["trials"][0]["verdicts"][0]["score"] for case in data["cases"]] == [4, 3]
    assert len(server.requests) == 5  # one grade was out of range
    assert trialkit("replay", str(first)).status == 0
    grades["harvest"] = [1]
    low = trialkit("run", "summaries", *models, "--no-cache", "--min-score", "3.4")
    assert low.status == 1, low.text
    compared = trialkit("compare", str(first), str(trialkit.last_run()))
    assert "quality" in compared.out
    again = trialkit("rejudge", str(first), "--judge-model", "openai/other")
    assert "llm:openai/other" in again.out


def test_the_suite_among_the_examples(trialkit: Program, server: Server) -> None:
    server.respond = lambda _body, _protocol: Say(text="It is Canberra.")
    installed(trialkit, "suite", "trialkit.suites")
    example = ROOT / "examples" / "suite"
    assert len((example / "questions_suite.py").read_text().splitlines()) <= 35
    ask = ["--csv", str(example / "questions.csv"), "--model", "openai/subject", "--api-base", server.openai_base]
    assert trialkit("run", "questions", *ask, "--trials", "2").status == 0
    run = str(trialkit.last_run())
    data = json.loads(trialkit("report", run, "--format", "json").out)
    assert [[trial["outcome"] for trial in case["trials"]] for case in data["cases"]] == [
        ["pass", "pass"],
        ["fail", "fail"],
        ["fail", "fail"],
    ]
    assert trialkit("replay", run).status == 0
    assert trialkit("rejudge", run).status == 0
    missing = trialkit("run", "questions")
    assert (missing.status, missing.err) == (
        2,
        "trialkit: [Errno 2] No such file or directory: 'questions.csv'\n",
    )
    # no key, and nothing known of the suite: that is no reason to say that it costs nothing
    plan = trialkit("plan", "questions", "--csv", ask[1], "--model", "openai/gpt-4o", "--output-dir", "none").out
    assert "cost         unknown" in plan
    assert "model calls  unknown" in plan


def installed(trialkit: Program, example: str, group: str) -> None:
    """An example's package, as pip would install it."""
    folder = ROOT / "examples" / example
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    info = trialkit.folder / f"{project['name'].replace('-', '_')}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n")
    lines = [f"{name} = {value}" for name, value in project["entry-points"][group].items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]) + "\n")
    trialkit.env["PYTHONPATH"] = f"{trialkit.folder}{os.pathsep}{folder}"


def test_a_package_of_someone_else_adds_a_format(trialkit: Program, server: Server) -> None:
    installed(trialkit, "format", "trialkit.formats")
    server.behave(Fault(kind="bad_request"))
    assert trialkit("run", "commodity", *model(server), "--ids", "S01", "--no-cache").status == 3
    run = str(trialkit.last_run())
    written = trialkit("report", run, "--format", "github")
    assert written.status == 0, written.err
    assert written.out.startswith("::notice title=commodity::pass rate None\n::error title=S01 trial 1%3A error::")
    asked = trialkit.command("report", "--help")  # which is put together when the program is loaded
    assert "github" in subprocess.run(asked, env=trialkit.env, capture_output=True, text=True, check=True).stdout
    assert "there are console, csv, github, html" in trialkit("report", run, "--format", "tau2").err


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("no_such_module:FORMAT", "cannot be loaded: ModuleNotFoundError"),
        ("json:loads", "is no trialkit.suites.Format; see docs/runs.md"),
    ],
)
def test_a_format_that_is_broken_hides_no_other(trialkit: Program, named: str, says: str) -> None:
    install(trialkit, named, group="trialkit.formats")
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    run = str(trialkit.last_run())
    assert trialkit("report", run, "--format", "md").status == 0
    broken = trialkit("report", run, "--format", "echo")
    assert broken.status == 2
    assert f"format echo: {named}, of the package echo-suite, {says}" in broken.err
    assert "there are console, csv, html, json, junit, md, parquet\n" in trialkit("report", run, "--format", "tau2").err


ECHO_SUITE = """
from trialkit.settings import RunSettings
from trialkit.suites import Content, Suite
from trialkit.vocabulary import Case, JudgeInUse, Verdict

class Settings(RunSettings):
    loud: bool = False

class Echo(Suite[Settings]):
    name, summary, settings, beside = "echo", "Repeats itself.", Settings, ("md",)
    def cases(self, settings):
        return [Case(id=name, title=name, group="g", data={}) for name in "ab"]
    def roles(self, settings, prompts):
        return {}
    def judges(self, settings, prompts):
        return [JudgeInUse(name="ear", kind="rules")]
    async def attempt(self, trial):
        if trial.case.id == "b":
            raise ValueError("b is not sayable")
        return {"said": trial.case.id.upper() + "!" * trial.settings.loud}
    async def judge(self, trial, output):
        return Verdict(outcome="pass", critique="heard")

class Old:
    name, summary, settings, beside = "echo", "Repeats itself.", Settings, ("md",)

class Later(Echo):
    api = 2

class Eager(Echo):
    def __init__(self, voice):
        self.voice = voice

SUITE = Echo()
"""


def on_a_full_disk(trialkit: Program, size: int, *arguments: str) -> str:
    """What the program says on stderr. A limit on file size is what a full disk looks like to SQLite."""
    done = subprocess.run(
        trialkit.command(*arguments),
        cwd=trialkit.folder,
        env=trialkit.env,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_full_disk_is_told_and_what_was_written_stays(trialkit: Program) -> None:
    said = on_a_full_disk(trialkit, 150_000, "run", "commodity", "--model", "baseline", "--trials", "200")
    assert "cannot write" in said


def test_a_full_disk_takes_no_labels(trialkit: Program) -> None:
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    run = trialkit.last_run()
    assert trialkit("label", str(run), "-o", "sheet.csv").status == 0
    sheet = trialkit.folder / "sheet.csv"
    with sheet.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with sheet.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "Human Outcome": "pass", "Human Critique": "So it is. " * 1000} for row in rows)
    said = on_a_full_disk(trialkit, run.stat().st_size, "import", "sheet.csv", "--run", str(run))
    assert f"cannot write {run}" in said
    assert "10 labels imported" in trialkit("import", "sheet.csv", "--run", str(run)).out  # and none in their place


def test_output_survives_a_terminal_without_unicode(trialkit: Program) -> None:
    trialkit.env |= {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    assert trialkit("run", "commodity", "--model", "baseline").status == 0


@pytest.mark.parametrize("name", ["run_eval", "evaluate_tau_bench"])
def test_a_script_in_a_python_without_trialkit_says_how_to_run_it(name: str) -> None:
    script = ROOT / "scripts" / f"{name}.py"
    done = subprocess.run([sys.executable, "-S", "-I", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        done.stderr
        == f"No module named 'trialkit'; run it where trialkit is installed: uv run python scripts/{name}.py\n"
    )


@pytest.mark.parametrize(
    ("name", "command", "seeds"),
    [
        (
            "run_eval",
            "commodity",
            "--csv --analyzer-prompt --judge-prompt --output-dir --verbose --skip-analysis --skip-judge",
        ),
        (
            "evaluate_tau_bench",
            "tau-bench/airline",
            "--task-ids --model --provider --temperature --use-reasoning --max-steps --max-concurrency --clear-cache",
        ),
    ],
)
def test_a_scripts_help_begins_with_the_seeds_flags(trialkit: Program, name: str, command: str, seeds: str) -> None:
    more = ["--env", "airline"] if "airline" in command else []
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / f"{name}.py"), *more, "-h"],
        cwd=trialkit.folder,
        env={**trialkit.env, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )
    own, usage, rest = done.stdout.partition(f"Usage: trialkit run {command}")
    assert (done.returncode, bool(usage)) == (0, True), done.stderr
    assert [flag for flag in seeds.split() if f"\n  {flag} " not in own and f"\n  {flag}, " not in own] == []
    listed = [line.split()[0].strip(",") for line in own.splitlines() if line.startswith("  --")]
    renamed = {"--env", "--agent-strategy", "--user-model-provider", "--log-dir"}
    assert [flag for flag in listed if flag not in rest and flag not in renamed] == []
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_seeds_script(trialkit: Program) -> None:
    script = Path(__file__).resolve().parents[2] / "scripts" / "run_eval.py"
    done = subprocess.run(
        [sys.executable, str(script), "--verbose", "--model", "baseline"],
        cwd=trialkit.folder,
        env=trialkit.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "S01 trial 1: pass" in done.stderr
    assert len(results(trialkit)) == 10
