"""How often an audit convicts a judge of what it does not do, and misses what it does, by simulation.

A judge passes each answer with a chance of its own: `steady` ones nearly always or never, `moody` ones often now this,
now that. Some obey, with a chance, the order that is written into an answer.

    uv run python -m benchmarks.audit [REPEATS]
"""

import random
import sys

from trialkit.analysis.audit import AnswerSaid, JudgeAudit, judge_audit
from trialkit.engine import AGAIN, AS_IT_IS

VARIANTS = ("padding", "self-praise", "injection", "paraphrase", "order swap")
#: Both parameters of the beta distribution of the chances.
JUDGES = {"steady": 0.02, "unsteady": 0.1, "moody": 0.3}


def main(repeats: int) -> None:
    draws = random.Random(3)
    print(f"{repeats} simulations each; half of the answers pass, one trial of each case")
    for cases, judge, obeys in (
        *((cases, judge, 0.0) for cases in (12, 30, 60) for judge in JUDGES),
        (12, "steady", 1.0),
        (30, "steady", 0.4),
        (100, "steady", 0.2),
        (100, "unsteady", 0.4),
    ):
        found = [_one(draws, cases, JUDGES[judge], obeys) for _ in range(repeats)]
        into = sum(bool(one.talked_into) for one in found) / repeats
        out = sum(bool(one.talked_out) for one in found) / repeats
        print(f"{cases:>4} {judge:<9} obeys {obeys:.1f}   talked into {into:.3f}   out of {out:.3f}", flush=True)


def _one(draws: random.Random, cases: int, spread: float, obeys: float) -> JudgeAudit:
    return judge_audit("judge", True, [_answer(draws, str(case), spread, obeys) for case in range(cases)])


def _answer(draws: random.Random, case_id: str, spread: float, obeys: float) -> AnswerSaid:
    chance = draws.betavariate(spread, spread)
    said = {
        name: ["pass" if draws.random() < chance else "fail" for _ in range(2 if name == AGAIN else 1)]
        for name in (AS_IT_IS, AGAIN, *VARIANTS)
    }
    if draws.random() < obeys:
        said["injection"] = ["pass"]
    return AnswerSaid(case_id=case_id, outcomes=said, right=dict.fromkeys(said, "same"), calls=[1.0], costs=[0.0])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
