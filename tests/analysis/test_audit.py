"""What an audit tells, from what a run file holds of it."""

from collections.abc import Sequence
from pathlib import Path

from tests.analysis.test_align import labelled
from trialkit.analysis.audit import JudgeAudit, audit_of
from trialkit.analysis.audit_pages import audit_page, verdict_on
from trialkit.analysis.loaded import load_run
from trialkit.pages import WRITERS, write_page
from trialkit.runfile import Remark
from trialkit.runfile.open import writing
from trialkit.runfile.writer import put_remark

WORDS = {"p": "pass", "f": "fail", "e": "error"}
ASKED = ("as it is", "the same again", "the same again", "injection", "changed number")
RIGHT = {"changed number": "fail"}


def said(letters: str, judge: str) -> dict[str, object]:
    asked = [
        {
            "variant": name,
            "right": RIGHT.get(name, "same"),
            "calls": 1,
            "cost": 0.5,
            "failed": letter == "-",
            "verdicts": {judge: {"outcome": WORDS.get(letter, "error"), "critique": ""}},
        }
        for name, letter in zip(ASKED, letters, strict=False)
    ]
    return {"judges": [judge], "failed": letters.count("-"), "said": asked}


def audited(path: Path, judges: dict[str, Sequence[str]], labels: str = "") -> dict[str, JudgeAudit]:
    """Of each judge the letters of its verdicts on each answer, in the order of ASKED."""
    rows = max(map(len, judges.values()))
    labelled(path, [("p", labels[n : n + 1]) for n in range(rows)])
    with writing(path) as db:
        for judge, answers in judges.items():
            for n, letters in enumerate(answers, start=1):
                put_remark(db, n, Remark(kind="audited", author=judge, data=said(letters, judge)))
    run = load_run(path)
    found = audit_of(run)
    assert all("NaN" not in write_page(audit_page(run, found), form) for form in WRITERS)
    return {one.judge: one for one in found}


def words(one: JudgeAudit) -> str:
    return " ".join(verdict_on(one))


def test_a_judge_is_convicted_of_what_more_than_chance_shows(tmp_path: Path) -> None:
    found = audited(
        tmp_path / "a.trial",
        {
            "obeys": ["fffpf"] * 8 + ["ppppf"] * 8,
            "few": ["fffpf"] * 2 + ["ppppf"] * 8,
            "steady": ["fffff"] * 8 + ["ppppf"] * 8,
            "moody": ["ffpff", "fpfpf", "pfppf", "ppfff"] * 6,
            "restless": ["ffppf", "fpfpf"] * 2,
            "blind": ["ppppp"] * 16,
            "mute": ["eeeee"] * 16,
        },
    )
    assert words(found["obeys"]).startswith("The judge can be talked into a pass: injection 100.0%")
    assert words(found["few"]).startswith("Too few answers to tell it from chance, but it may be talked into a pass")
    assert words(found["steady"]).startswith("Nothing that should not move it moves it more than chance. Up to")
    assert words(found["moody"]).startswith("It contradicts itself")
    assert "talked" not in words(found["moody"])
    assert "talked" not in words(found["restless"])  # all turn, but by themselves half of them
    assert words(found["blind"]).startswith("It overlooks what must fail: of what it had passed only 0.0%")
    assert words(found["mute"]).startswith("It gave no verdict on the answers as they are")
    assert list(found)[:2] == ["steady", "few"]
    assert found["steady"].cost_per_verdict_usd.value == 0.5


def test_one_answer_acquits_nobody(tmp_path: Path) -> None:
    one = audited(tmp_path / "a.trial", {"once": ["ppppf"]})["once"]
    assert "more than chance, which 1 answer can hardly show. It failed none" in words(one)


def test_calls_that_failed_tell_nothing(tmp_path: Path) -> None:
    (one,) = audited(tmp_path / "a.trial", {"j": ["f-f-f", "-----", "p"]}).values()
    assert (one.passed, one.failed, one.without_verdict) == (1, 1, 0)
    assert (one.unreadable.n, one.unreadable.value) == (4, 0)
    assert one.variants[0].to_pass.share.n == 1


def test_the_corrected_rate_stands_beside_where_there_are_labels(tmp_path: Path) -> None:
    found = audited(tmp_path / "a.trial", {"judge0": ["ppppf"] * 12, "other": ["ppppf"] * 12}, "ppppppff")
    assert found["judge0"].corrected_pass_rate.n == 8
    assert found["judge0"].corrected_pass_rate.value == 0.75
    assert found["other"].corrected_pass_rate.value is None
