"""How often `branch --find-decisive` finds a mistake that was planted: conversations over the whole engine, in which an
agent opens doors in order and one wrong door spoils all. The first time it errs where it was planted; later, going on
from a step, in one of so many moves.

    uv run python -m benchmarks.decisive [--cases 200] [--trials 8] [--errs 0.05]
"""

import argparse
import os
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.cli.doors import Opener, customer, write_suite

from trialkit import ScriptedModel
from trialkit.analysis.branch import trunk_of
from trialkit.analysis.decisive import DecisiveStep, Outcomes, search
from trialkit.engine import Job, Rerun, Tally, arm, blocking, branch_of, go_on, start
from trialkit.runfile import RunFile, TrialRecord
from trialkit.stats import chance
from trialkit.suites import get_suite


class Silent:
    def __init__(self, verbose: bool) -> None: ...

    def opened(self, path: Path, tally: Tally, notices: Sequence[str]) -> None: ...

    def ended(self, job: Job, record: TrialRecord, tally: Tally) -> None: ...

    def say(self, line: str) -> None: ...

    def interrupted(self, tally: Tally, reason: str) -> None: ...

    def closed(self) -> None: ...


def found(folder: Path, moves: int, planted: int, trials: int, errs: float, seed: int) -> tuple[bool, int]:
    """Whether it was the planted step that was found, and after how many trials."""
    suite = get_suite(str(write_suite(folder, {"a": moves})))
    opener = Opener(many=moves, planted=planted, errs=errs, seed=seed)
    with ScriptedModel(opener, "opener"), ScriptedModel(customer, "customer"):
        settings = suite.settings.model_validate(
            {"model": "scripted:opener", "user_model": "scripted:customer", "use_cache": False, "output_dir": folder}
        )
        path = blocking(start(suite, settings, Silent)).path
        opener.planted = None
        with RunFile(path) as run:
            trunk = trunk_of(run, "a/1")
        rerun, tried, made = Rerun.of(path), dict[int, Outcomes](), 0
        steps = {step.number: step for step in trunk.moves(rerun.subject)}
        while True:
            wanted = search(list(steps), tried, trials, "bisect")
            if isinstance(wanted, DecisiveStep):
                return wanted.step == list(steps)[planted - 1], made
            step = steps[wanted.step]
            branch = branch_of(rerun, trunk.trial.id, step.number, step.replies, wanted.trials)
            (done,) = go_on([arm(branch, {}, {})], Silent)
            with RunFile(done.path) as run:
                passed = run.counts().passed
            before = tried.get(wanted.step, Outcomes())
            tried[wanted.step] = Outcomes(before.passed + passed, before.n + wanted.trials)
            made += wanted.trials


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--trials", type=int, default=8)
    parser.add_argument("--errs", type=float, default=0.05)
    given = parser.parse_args()
    draws, hits, trials = random.Random(15), 0, 0
    for number in range(given.cases):
        moves = draws.randint(4, 20)
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TRIALKIT_CACHE_DIR"] = folder
            hit, made = found(Path(folder), moves, draws.randint(1, moves), given.trials, given.errs, number)
        hits, trials = hits + hit, trials + made
    share = chance(hits, given.cases)
    print(f"{hits} of {given.cases} [{share.low:.1%}, {share.high:.1%}], {trials / given.cases:.0f} trials each")


if __name__ == "__main__":
    main()
