"""Chains of kill -9 over every command that writes: what was recorded is never asked again, and the end is the same."""

import json
import random
import shutil
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.engine import write_golden

from tests.attack.children import Ended, killed, run

CASES, AT_ONCE = 40, 4


class Chain:
    """One run, from its beginning to labels, verdicts and reports, killed again and again on the way."""

    def __init__(self, folder: Path, url: str, seed: int) -> None:
        self.folder = folder
        self.url = url
        self.draw = random.Random(seed)
        self.kills = 0
        self.lost = 0  # replies that were sent and not recorded: paid twice
        self.faults: list[str] = []

    def go(self, expected: list[Any]) -> None:
        write_golden(self.folder / "golden.csv", CASES)
        flags = ["--model", "openai/subject", "--judge", "rules", "--api-base", f"{self.url}/v1", "--no-cache"]
        begin = ["run", "commodity", *flags, "--csv", "golden.csv", "--max-concurrency", str(AT_ONCE)]
        while not (path := self._path()):
            self._session(begin, None)
        for _ in range(self.draw.randrange(3, 9)):
            self._session(["resume", str(path)], path)
        before, recorded = asked(self.url), self._recorded(path)
        self._expect(run(self.folder, "resume", str(path)))
        if asked(self.url) - before > CASES - recorded:
            self.faults.append(f"{recorded} of {CASES} were recorded, and {asked(self.url) - before} asked again")
        self._afterwards(path)
        if verdicts(path) != expected:
            self.faults.append("the verdicts are not those of an undisturbed run")

    def _session(self, arguments: list[str], path: Path | None) -> None:
        before, recorded = asked(self.url), self._recorded(path) if path else 0
        self._kill(*arguments)
        path = path or self._path()
        gained = self._recorded(path) - recorded if path else 0
        self.lost += (lost := asked(self.url) - before - gained)
        if lost > AT_ONCE:
            self.faults.append(f"{lost} replies were lost by a kill, with {AT_ONCE} under way")

    def _afterwards(self, path: Path) -> None:
        """All that writes beside and into a run that has ended, killed a few times each, and then done."""
        run(self.folder, "label", str(path), "--sample", "10", "-o", "drawn.csv")
        labelled = (self.folder / "drawn.csv").read_text().splitlines()
        (self.folder / "labels.csv").write_text(
            "Scenario ID,Human Outcome\n"
            + "".join(f"{line.split(',')[0]},pass\n" for line in labelled[1:] if line.startswith("B"))
        )
        for command in (
            ["rejudge", str(path), "--judge", "rules"],
            ["import", "labels.csv", "--run", str(path)],
            ["label", str(path), "-o", "again.csv"],
            ["replay", str(path)],
            ["report", str(path), "--format", "html", "-o", "page.html"],
            ["report", str(path), "--format", "csv", "-o", "results.csv"],
        ):
            for _ in range(3):
                self._kill(*command, within_s=0.1)
            self._expect(run(self.folder, *command), {0, 2} if command[0] == "label" else {0})

    def _kill(self, *arguments: str, within_s: float = 0.4) -> None:
        done = killed(self.folder, self.draw.random() * within_s, *arguments)
        self.kills += done.status == -9
        if done.status != -9 and done.fault:
            self.faults.append(f"{arguments[0]}: {done.fault}")

    def _expect(self, done: Ended, statuses: set[int] | None = None) -> None:
        if done.fault or done.status not in (statuses or {0}):
            self.faults.append(f"status {done.status} {done.fault}: {done.text[-500:]}")

    def _path(self) -> Path | None:
        return next(
            (path for path in sorted((self.folder / "eval_results").glob("*.trial")) if path.stat().st_size), None
        )

    def _recorded(self, path: Path) -> int:
        with closing(sqlite3.connect(path)) as db:
            return int(db.execute("SELECT count(*) FROM calls WHERE reply IS NOT NULL").fetchone()[0])


def verdicts(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as db:
        (sound,) = db.execute("PRAGMA integrity_check").fetchone()
        rows = db.execute(
            "SELECT DISTINCT case_id, judge, outcome, critique FROM verdicts v JOIN trials t ON t.id = v.trial_id"
        )
        return [sound, *sorted(rows)]


def asked(url: str) -> int:
    with urllib.request.urlopen(f"{url}/stats") as answer:  # noqa: S310 - our own server
        return int(json.load(answer)["requests"])


@contextmanager
def served() -> Iterator[str]:
    """The analyst as a process of its own: no kill of a run touches what it has counted."""
    command = [sys.executable, "-m", "tests.server", "--latency", "0.01"]
    with subprocess.Popen(
        command, cwd=Path(__file__).resolve().parents[2], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


def calm(folder: Path, url: str) -> list[Any]:
    """What an undisturbed run comes to, judged twice as the others are."""
    chain = Chain(folder, url, 0)
    write_golden(folder / "golden.csv", CASES)
    flags = ["--model", "openai/subject", "--judge", "rules", "--api-base", f"{url}/v1", "--no-cache"]
    done = run(folder, "run", "commodity", *flags, "--csv", "golden.csv")
    path = chain._path()
    assert path is not None, done.text
    return verdicts(path)


def chain(folder: Path, url: str, seed: int, expected: list[Any]) -> Chain:
    folder.mkdir(parents=True)
    one = Chain(folder, url, seed)
    one.go(expected)
    if not one.faults:
        shutil.rmtree(folder)
    return one
