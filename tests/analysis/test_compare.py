"""Two runs or more held against each other, through run files."""

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.run_files import case, ended, verdict, write_run
from trialkit.analysis.against_first import against_first, against_first_page
from trialkit.analysis.all_pairs_pages import all_pairs_csv, all_pairs_json, all_pairs_page
from trialkit.analysis.compare import Comparison, compare_all, compare_runs
from trialkit.analysis.compare_csv import comparison_csv
from trialkit.analysis.compare_gate import GateRule, compare_gate
from trialkit.analysis.compare_pages import comparison_json, comparison_page
from trialkit.analysis.loaded import load_run
from trialkit.analysis.words import conclusion as sentence
from trialkit.analysis.words import p_value
from trialkit.errors import InputError
from trialkit.pages import WRITERS, write_page
from trialkit.runfile import TrialRecord
from trialkit.vocabulary import JudgeInUse, Outcome

LETTERS: dict[str, Outcome] = {"p": "pass", "f": "fail", "e": "error"}


def trial(letter: str, said: str = "so it is") -> TrialRecord | None:
    """p, f, e: passed, failed, error; x: not run."""
    return None if letter == "x" else ended(verdict(LETTERS[letter], f"{said}: {letter}"), output={"a": 1})


def run(path: Path, outcomes: dict[str, str], said: str = "so it is", **more: Any) -> Path:
    cases = [(case(name), [trial(letter, said) for letter in letters]) for name, letters in outcomes.items()]
    return write_run(path, cases, **more)


def compared(folder: Path, before: dict[str, str], after: dict[str, str]) -> Comparison:
    a, b = run(folder / "a.trial", before, "before"), run(folder / "b.trial", after, "after")
    return compare_runs(load_run(a), load_run(b))


def cases(letters: Sequence[str]) -> dict[str, str]:
    return {f"C{place:03}": letter for place, letter in enumerate(letters)}


def everything(one: Comparison) -> str:
    """Every format, which must not fail whatever the input; what is told in them."""
    page = comparison_page(one)
    texts = [*(write_page(page, form) for form in WRITERS), comparison_csv(one), comparison_json(one)]
    text = "\n".join(texts).lower()
    assert "nan" not in text.replace("nanny", "")
    return text


def test_flips_are_listed_with_both_critiques(tmp_path: Path) -> None:
    one = compared(tmp_path, {"S1": "p", "S2": "f", "S3": "p"}, {"S1": "f", "S2": "p", "S3": "p"})
    assert [(flip.case_id, flip.before, flip.after) for flip in one.flips] == [
        ("S1", "pass", "fail"),
        ("S2", "fail", "pass"),
    ]
    assert (one.flips[0].critique_before, one.flips[0].critique_after) == ("before: p", "after: f")
    shown = write_page(comparison_page(one), "console")
    assert "pass → fail (1 case)" in shown
    assert "fail → pass (1 case)" in shown


def test_what_is_only_in_one_is_listed_and_not_compared(tmp_path: Path) -> None:
    one = compared(tmp_path, {"S1": "p", "S2": "p", "S4": "e"}, {"S2": "p", "S3": "f", "S4": "p"})
    assert (one.paired, one.only_before, one.only_after, one.unjudged) == (("S2",), ("S1",), ("S3",), ("S4",))
    shown = write_page(comparison_page(one), "console")
    assert "Only in A, so not compared: S1." in shown
    assert "Only in B, so not compared: S3." in shown
    assert "without a verdict in one, so not compared: S4." in shown
    assert "1 trial of A ended in error" in shown


def test_a_clear_difference_is_told_as_one(tmp_path: Path) -> None:
    one = compared(tmp_path, cases("f" * 20), cases("p" * 20))
    assert one.rate.difference.significant
    assert "B passes 100 points more often than A" in sentence(one)
    assert "more than noise (p < 0.001)" in sentence(one)
    assert not one.regression
    back = compare_runs(one.after, one.before)
    assert back.regression


def test_a_small_difference_is_noise_and_what_the_size_can_show_is_told(tmp_path: Path) -> None:
    one = compared(tmp_path, cases("p" * 60 + "f" * 55), cases("f" * 10 + "p" * 67 + "f" * 38))
    said = sentence(one)
    assert "B passes 6.1 points more often than A; with 115 cases" in said
    assert "not distinguishable from noise" in said
    assert "half of that takes four times the cases" in said


def test_several_trials_give_pass_hat_k_and_changed_shares(tmp_path: Path) -> None:
    one = compared(tmp_path, {"S1": "pppp", "S2": "ppff", "S3": "ffff"}, {"S1": "pfff", "S2": "pppp", "S3": "ffff"})
    assert len(one.pass_hat_k) == 4
    assert one.pass_hat_k[3].before.value == pytest.approx(1 / 3)
    assert one.pass_hat_k[1].difference.value == pytest.approx((0 - 1 + 1 - 1 / 6) / 3)
    assert [(flip.case_id, flip.before, flip.after) for flip in one.flips] == [
        ("S1", "4/4", "1/4"),
        ("S2", "2/4", "4/4"),
    ]
    assert one.rate.difference.method == "paired bootstrap over cases"


def test_errors_do_not_make_a_difference_where_no_case_changed(tmp_path: Path) -> None:
    """Over trials A would pass 2 of 4 and B 4 of 5."""
    one = compared(tmp_path, cases(["pe", "ep", "ff"]), cases(["pp", "pp", "fe"]))
    assert one.flips == ()
    assert one.rate.difference.value == 0


def test_settings_that_differ_come_first_and_other_judges_are_told_loudly(tmp_path: Path) -> None:
    a = run(tmp_path / "a.trial", {"S1": "p"}, settings={"model": "x", "trials": 1, "verbose": True})
    b = write_run(
        tmp_path / "b.trial",
        [(case("S1", truth=2), [ended(verdict("pass", judge="llm:m@v1"))])],
        settings={"model": "y", "trials": 1, "verbose": False},
    )
    one = compare_runs(load_run(a), load_run(b))
    assert [(what, *values) for what, values in one.differs] == [
        ("model", "x", "y"),
        ("decided by", "rules", "llm:m@v1"),
    ]
    shown = write_page(comparison_page(one), "console")
    assert "DIFFERENT JUDGES" in shown
    assert "DIFFERENT DATA: 1 of the 1 cases compared" in shown
    assert shown.index("What differs") < shown.index("Over 1 paired case")


def test_runs_of_different_suites_are_refused(tmp_path: Path) -> None:
    a, b = run(tmp_path / "a.trial", {"S1": "p"}), run(tmp_path / "b.trial", {"S1": "p"}, suite="other")
    with pytest.raises(InputError, match="cannot be compared"):
        compare_runs(load_run(a), load_run(b))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({}, {}, "no case in common"),
        ({"S1": "p"}, {"S2": "p"}, "no case in common"),
        ({"S1": "e"}, {"S1": "e"}, "no case has a verdict in both"),
        ({"S1": "x"}, {"S1": "p"}, "no case has a verdict in both"),
        ({"S1": "p"}, {"S1": "f"}, "one case"),
        ({"S1": "pp"}, {"S1": "ff"}, "one case"),
        (cases("p" * 10), cases("p" * 10), "exactly as often"),
        (cases(["pp"] * 10), cases(["pp"] * 10), "exactly as often"),
        (cases("f" * 10), cases("f" * 10), "exactly as often"),
        (cases(["pe", "ep", "ff"]), cases(["pp", "pp", "fe"]), "exactly as often"),
    ],
)
def test_degenerate_runs_get_a_clear_answer(
    tmp_path: Path, before: dict[str, str], after: dict[str, str], told: str
) -> None:
    one = compared(tmp_path, before, after)
    assert told in everything(one)


def test_several_runs_are_corrected_for_their_number(tmp_path: Path) -> None:
    paths = [
        run(tmp_path / f"{name}.trial", cases(letters))
        for name, letters in (
            ("a", "p" * 10 + "f" * 10),
            ("b", "p" * 17 + "f" * 3),
            ("c", "f" * 20),
        )
    ]
    several = compare_all([load_run(path) for path in paths])
    raw = [one.rate.difference.p for one in several.pairs]
    assert len(raw) == 3
    assert all(
        corrected is not None and p is not None and corrected >= p
        for p, corrected in zip(raw, several.corrected, strict=True)
    )
    gate = compare_gate(several.against_first, GateRule(margin=None))
    assert (gate.state, gate.why[:24]) == ("worse", "C is significantly worse")
    shown = write_page(all_pairs_page(several), "console")
    assert "p (Holm)" in shown
    assert re.search(r"C passes [0-9.]+ points less often than A", " ".join(shown.split()))
    assert len(json.loads(all_pairs_json(several))["pairs"]) == 3


def test_several_runs_are_told_with_what_errors_could_make_of_each(tmp_path: Path) -> None:
    paths = [
        run(tmp_path / f"{name}.trial", cases(told)) for name, told in (("a", "ppff"), ("b", "ppfe"), ("c", "pppp"))
    ]
    shown = write_page(all_pairs_page(compare_all([load_run(path) for path in paths])), "console")
    row = next(line for line in shown.split("Each run by itself")[1].splitlines() if line.strip().startswith("B"))
    assert row.strip().endswith("50.0% to 75.0%")


def test_the_page_tells_how_likely_so_many_more_errors_are(tmp_path: Path) -> None:
    shown = " ".join(everything(compared(tmp_path, cases("p" * 12), cases("p" * 4 + "e" * 8))).split())
    assert "; of errors p = 0.005" in shown  # 8 to 0 is 2.83 standard deviations
    assert "of errors p" not in everything(compared(tmp_path / "none", cases("pp"), cases("pf")))


def test_of_several_runs_each_pairs_errors_are_tested(tmp_path: Path) -> None:
    told = ("p" * 24, "p" * 15 + "e" * 9, "p" * 24)
    runs = [load_run(run(tmp_path / f"{n}.trial", cases(letters))) for n, letters in enumerate(told)]
    several = compare_all(runs)
    once = several.pairs[0].errors
    assert once is not None
    assert once.difference.p is not None
    pairs = json.loads(all_pairs_json(several))["pairs"]
    # that of A and C, which have none, is a test as well
    assert [pair["errors_p_holm"] for pair in pairs] == [
        pytest.approx(3 * once.difference.p),
        None,
        pairs[0]["errors_p_holm"],
    ]
    shown = write_page(all_pairs_page(several), "console").split("Errors, every pair")[1]
    assert re.findall(r"^ *([ABC] − [ABC]) .*(yes|no)$", shown, re.MULTILINE) == [("B − A", "yes"), ("C − B", "yes")]  # noqa: RUF001
    assert "corrected for 3 tests" in shown
    beside = write_page(against_first_page(against_first(runs)), "console").split("Errors against the first")[1]
    assert "corrected for 2 tests" in beside
    assert "Errors" not in write_page(all_pairs_page(compare_all([runs[0], runs[2], runs[0]])), "console")


def test_the_csv_has_every_paired_case(tmp_path: Path) -> None:
    one = compared(tmp_path, {"S1": "p", "S2": "f"}, {"S1": "f", "S2": "f"})
    rows = list(csv.DictReader(io.StringIO(comparison_csv(one))))
    assert [(row["Case"], row["A passed"], row["B passed"], row["Change"]) for row in rows] == [
        ("S1", "1", "0", "worse"),
        ("S2", "0", "0", "same"),
    ]


def test_json_figures_have_value_low_high_and_n(tmp_path: Path) -> None:
    data = json.loads(comparison_json(compared(tmp_path, cases("ppf"), cases("pff"))))
    assert data["format"] == "trialkit-compare/1"
    assert set(data["pass_rate"]["a"]) == {"value", "low", "high", "n"}
    assert set(data["pass_rate"]["difference"]) == {"value", "low", "high", "n", "p", "method"}


def test_html_escapes_what_models_say(tmp_path: Path) -> None:
    a = run(tmp_path / "a.trial", {"S1": "p"}, "<script>alert(1)</script>")
    b = run(tmp_path / "b.trial", {"S1": "f"}, "<b>bold</b>")
    text = write_page(comparison_page(compare_runs(load_run(a), load_run(b))), "html")
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize("columns", ["80", "120"])
def test_it_fits_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    one = compared(tmp_path, cases(["pppp", "pfff"] * 20), cases(["ppff", "pppp"] * 20))
    shown = write_page(comparison_page(one), "console")
    assert max(map(len, shown.splitlines())) <= int(columns)
    row = next(line for line in shown.splitlines() if line.strip().startswith("pass rate"))
    assert row.count("[") == 3  # nothing was wrapped


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (cases("pp"), cases("pf"), "At this size no difference is likely to show."),
        (cases("pp"), cases("ff"), "So few cases (2) can hardly tell two runs apart."),
        (cases(["pp", "pf"] * 5), cases(["pp"] * 10), "with 10 cases of 2 trials each"),
        (cases(["pp", "p"] * 5), cases(["pppp", "f"] * 5), "with 10 cases of 1 to 4 trials each"),
        (cases(["p"] * 4999 + ["f"]), cases(["p"] * 5000), "B passes 0.02 points more often than A"),
    ],
)
def test_the_sentence_does_not_contradict_itself(
    tmp_path: Path, before: dict[str, str], after: dict[str, str], told: str
) -> None:
    assert told in sentence(compared(tmp_path, before, after))


@pytest.mark.parametrize(("p", "told"), [(0.0496, "p = 0.04960"), (0.05, "p = 0.05000"), (0.2, "p = 0.200")])
def test_which_side_of_the_limit_p_is_on_is_seen(p: float, told: str) -> None:
    assert p_value(p) == told


def test_cases_with_unequal_trials_are_told_by_their_share(tmp_path: Path) -> None:
    one = compared(tmp_path, {"S1": "pf", "S2": "p"}, {"S1": "fe", "S2": "f"})
    assert [(flip.case_id, flip.before, flip.after) for flip in one.flips] == [
        ("S2", "1/1", "0/1"),
        ("S1", "1/2", "0/1"),
    ]
    assert "Passes less often in B (2 cases)" in write_page(comparison_page(one), "console")


def test_a_run_against_itself_is_told_loudly(tmp_path: Path) -> None:
    path = run(tmp_path / "a.trial", {"S1": "p"})
    one = compare_runs(load_run(path), load_run(tmp_path / "." / "a.trial"))
    assert one.warnings[0].startswith("THE SAME RUN")


@pytest.mark.parametrize("wrong", ["", "nan", "inf", "-1", "free"])
def test_unknown_costs_are_told_as_unknown(tmp_path: Path, wrong: str) -> None:
    for name, cost in (("a", "0.01"), ("b", wrong)):
        rows = "".join(f"S{n},pass,{cost},0.5\n" for n in range(3))
        (tmp_path / f"{name}.csv").write_text(f"Scenario ID,Model Outcome,Cost USD,Latency s\n{rows}")
    one = compare_runs(load_run(tmp_path / "a.csv"), load_run(tmp_path / "b.csv"))
    assert (one.cost.before.value, one.cost.after.value, one.cost.difference.value) == (0.01, None, None)
    row = next(line for line in write_page(comparison_page(one), "console").splitlines() if "¢ a trial" in line)
    assert row.split()[3:] == ["1.000", "unknown", "—"]
    assert "NaN" not in comparison_json(one)
    assert one.warnings == ()


def test_a_csv_of_outcomes_only_is_no_other_data(tmp_path: Path) -> None:
    table = tmp_path / "b.csv"
    table.write_text("Scenario ID,Model Outcome,Judge\nS1,pass,rules\n")
    path = run(tmp_path / "a.trial", {"S1": "p"}, suite="commodity")
    assert not any("DATA" in warning for warning in compare_runs(load_run(path), load_run(table)).warnings)


def test_several_runs_tell_what_differs_and_what_is_missing(tmp_path: Path) -> None:
    paths = [
        run(tmp_path / "a.trial", {"S1": "p", "S2": "p"}, settings={"model": "x"}),
        run(tmp_path / "b.trial", {"S1": "p", "S3": "e"}, settings={"model": "y"}),
        write_run(tmp_path / "c.trial", [(case("S1"), [ended(verdict("pass", judge="llm"))])], settings={"model": "x"}),
    ]
    several = compare_all([load_run(path) for path in paths])
    shown = " ".join(write_page(all_pairs_page(several), "console").split())
    assert "model x y x" in shown
    assert "DIFFERENT JUDGES decided: rules (of A, B); llm (of C)." in shown
    assert "Not in B, so not compared with it: S2." in shown
    assert "Not in C, so not compared with it: S2, S3." in shown
    assert "Without a verdict in B, so not compared with it: S3." in shown
    assert "1 trial of B ended in error" in shown
    rows = list(csv.DictReader(io.StringIO(all_pairs_csv(several))))
    assert [(row["Case"], row["A passed"], row["B trials"], row["C trials"]) for row in rows] == [
        ("S1", "1", "1", "1"),
        ("S2", "1", "", ""),
        ("S3", "", "0", ""),
    ]


def test_pairs_that_have_nothing_to_compare_are_no_tests(tmp_path: Path) -> None:
    told = ("p" * 9, "e" * 9, "f" * 9)
    runs = [load_run(run(tmp_path / f"{n}.trial", cases(letters))) for n, letters in enumerate(told)]
    assert "corrected for 1 test;" in write_page(all_pairs_page(compare_all(runs)), "console")


def test_several_runs_say_what_may_be_the_doing_of_errors(tmp_path: Path) -> None:
    told = ("p" * 30, "f" * 12 + "e" * 18, "f" * 30)
    runs = [load_run(run(tmp_path / f"{n}.trial", cases(letters))) for n, letters in enumerate(told)]
    shown = " ".join(write_page(all_pairs_page(compare_all(runs)), "console").split())
    assert "B passes 100 points less often than A; C passes" in shown  # 12 fails are worse, whatever the rest is
    told = ("f" * 15 + "p" * 45, "p" * 12 + "f" * 3 + "e" * 45, "f" * 60)
    runs = [load_run(run(tmp_path / f"2{n}.trial", cases(letters))) for n, letters in enumerate(told)]
    shown = " ".join(write_page(all_pairs_page(compare_all(runs)), "console").split())
    assert "B passes 80 points more often than A (which may be the errors' doing);" in shown


def test_several_runs_without_a_common_case_get_a_clear_answer(tmp_path: Path) -> None:
    several = compare_all([load_run(run(tmp_path / f"{n}.trial", {f"S{n}": "p"})) for n in range(3)])
    text = "".join(write_page(all_pairs_page(several), form) for form in WRITERS) + all_pairs_json(several)
    assert "There is nothing to compare: no case has a verdict in two of these runs." in text
    assert "NaN" not in text


def test_what_an_imported_answer_cost_is_unknown_not_nothing(tmp_path: Path) -> None:
    one = compared(tmp_path, {"S1": "p"}, {"S1": "p"})
    assert one.cost.before.value is None
    assert "¢ a trial unknown unknown —" in " ".join(write_page(comparison_page(one), "console").split())


def test_a_skipped_case_is_left_out_but_no_other_data(tmp_path: Path) -> None:
    """Its identity is what is asked and what is true, not whether it was asked."""
    a = run(tmp_path / "a.trial", {"S1": "p", "S2": "p"})
    skipped = replace(case("S2"), skipped="its gold actions fail")
    b = write_run(tmp_path / "b.trial", [(case("S1"), [trial("f")]), (skipped, [])])
    one = compare_runs(load_run(a), load_run(b))
    assert (one.paired, one.unjudged) == (("S1",), ("S2",))
    assert not any("DATA" in warning for warning in one.warnings)


def test_other_data_is_told_by_the_identity_of_a_case(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a.trial", [(replace(case("S1", n=1), identity="same"), [trial("p")])])
    b = write_run(tmp_path / "b.trial", [(replace(case("S1", n=2), identity="same"), [trial("p")])])
    c = write_run(tmp_path / "c.trial", [(case("S1", n=2), [trial("p")])])
    assert not any("DATA" in warning for warning in compare_runs(load_run(a), load_run(b)).warnings)
    assert any(
        "DIFFERENT DATA: 1 of the 1 cases" in warning for warning in compare_runs(load_run(b), load_run(c)).warnings
    )


@pytest.mark.parametrize(
    ("model", "prompt_hash", "told"),
    [
        ("other", "1" * 64, ["DIFFERENT JUDGE MODELS: one and other. The difference may be theirs."]),
        ("one", "2" * 64, ["DIFFERENT JUDGE PROMPTS: v1 (11111111) and v1 (22222222). The difference may be theirs."]),
        ("one", "1" * 64, []),
        ("", "", []),  # it does not tell
    ],
)
def test_a_judge_of_the_same_name_may_be_another(tmp_path: Path, model: str, prompt_hash: str, told: list[str]) -> None:
    first = JudgeInUse(name="rules", kind="model", model="one", prompt="v1", prompt_hash="1" * 64)
    paths = [
        write_run(tmp_path / f"{name}.trial", [(case("S1"), [trial("p")])], judges=[judge])
        for name, judge in (("a", first), ("b", replace(first, model=model, prompt_hash=prompt_hash)))
    ]
    one = compare_runs(*map(load_run, paths))
    assert [warning for warning in one.warnings if "JUDGE" in warning] == told
