"""Labels from the command line: drawn, filled in, brought back, held against the judges."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.e2e.test_commodity import model, rows_of
from tests.run_files import case, ended, verdict, write_run
from tests.server import Server


def write(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def drawn(trialkit: Program, *more: str) -> list[dict[str, str]]:
    done = trialkit("label", str(trialkit.last_run()), "-o", "sheet.csv", *more)
    assert done.status == 0, done.err
    rows = rows_of(trialkit.folder / "sheet.csv")
    (trialkit.folder / "sheet.csv").unlink()
    return rows


def start(trialkit: Program) -> str:
    assert trialkit("run", "commodity", "--model", "baseline", "--trials", "2").status == 0
    return str(trialkit.last_run())


def test_draw_label_import_align(trialkit: Program) -> None:
    run = start(trialkit)
    rows = drawn(trialkit, "--sample", "12", "--seed", "4")
    assert len({(row["Scenario ID"], row["Trial"]) for row in rows}) == 12
    assert {row["Human Outcome"] for row in rows} == {""}
    assert "Model Outcome" not in rows[0]  # who labels is not told what the judge said
    assert rows[0]["Ground Truth"]
    assert rows == drawn(trialkit, "--sample", "12", "--seed", "4")
    for place, row in enumerate(rows):
        row["Human Outcome"] = "fail" if place < 3 else "pass" if place < 11 else ""
        row["Human Critique"] = "I see." if row["Human Outcome"] else ""
    write(trialkit.folder / "filled.csv", rows)
    done = trialkit("import", "filled.csv", "--run", run)
    assert done.status == 0, done.err
    assert "11 labels imported; 1 row without one" in done.out
    data = json.loads(trialkit("align", run, "--format", "json").out)
    assert data["labelled"] == 11
    (judge,) = data["judges"]
    assert judge["judge"] == "rules"
    assert sum(judge["confusion"].values()) == 11
    assert judge["confusion"]["people_fail_judge_pass"] == 3
    assert [row["critique_people"] for row in judge["disagreements"]] == ["I see."] * 3
    assert "Disagreements (3)" in trialkit("align", run).out
    assert trialkit("replay", run).status == 0
    again = drawn(trialkit, "--sample", "100")
    assert len(again) == 9  # labelled trials are not drawn again


def test_the_seeds_way_fill_in_the_results_csv(trialkit: Program) -> None:
    """Human columns of the results CSV: aligned as they stand, and brought into the run file."""
    run = start(trialkit)
    table = trialkit.last_run().with_suffix(".csv")
    rows = rows_of(table)
    for row in rows:
        row["Human Outcome"] = "pass" if row["Scenario ID"] != "S03" else "fail"
    edited = trialkit.folder / "edited.csv"
    write(edited, rows)
    from_table = json.loads(trialkit("align", "edited.csv", "--format", "json").out)
    assert trialkit("import", "edited.csv", "--run", run).status == 0
    from_run = json.loads(trialkit("align", run, "--format", "json").out)
    assert from_table["judges"][0]["kappa"] == from_run["judges"][0]["kappa"]
    assert from_table["judges"][0]["groups"] == from_run["judges"][0]["groups"]
    assert from_run["labelled"] == 20


def test_rows_that_do_not_match_are_refused_and_nothing_is_written(trialkit: Program) -> None:
    run = start(trialkit)
    rows = drawn(trialkit, "--sample", "5")
    for row in rows:
        row["Human Outcome"] = "pass"
    good = [dict(row) for row in rows]
    rows[0]["Scenario ID"] = "S77"
    rows[1]["Trial"] = "9"
    rows[2]["Model Response"] = '{"reasoning": "another", "suggestions": []}'
    write(trialkit.folder / "bad.csv", rows)
    write(trialkit.folder / "good.csv", good)
    done = trialkit("import", "good.csv", "bad.csv", "--run", run)
    assert done.status == 2
    assert 'bad.csv:2: the run has no scenario "S77"' in done.err
    assert "has no trial 9; the run's are 1, 2" in done.err
    assert "judges another answer" in done.err
    assert json.loads(trialkit("align", run, "--format", "json").out)["labelled"] == 0
    assert trialkit("import", "good.csv").status == 2  # whose labels are these?


def test_several_annotators(trialkit: Program) -> None:
    run = start(trialkit)
    rows = drawn(trialkit, "--sample", "10")
    for name, outcomes in (("ann", "pppppfffff"), ("bob", "ppppfffffp")):
        for row, letter in zip(rows, outcomes, strict=True):
            row["Human Outcome"] = "pass" if letter == "p" else "fail"
        write(trialkit.folder / f"{name}.csv", rows)
        assert trialkit("import", f"{name}.csv", "--run", run, "--annotator", name).status == 0
    data = json.loads(trialkit("align", run, "--format", "json").out)
    assert data["annotators"] == {"ann": 10, "bob": 10}
    assert len(data["tied"]) == 2
    assert 0 < data["krippendorff_alpha"]["value"] < 1
    assert "Krippendorff's alpha" in trialkit("align", run).out


def test_hunted_labels_are_shown_but_in_no_rate(trialkit: Program, server: Server, court: Court) -> None:
    assert trialkit("run", "commodity", *model(server), "--judge", "both", "--ids", "S01,S02,S05").status == 0
    run = str(trialkit.last_run())
    rows = drawn(trialkit, "--where", "disagree")
    assert rows
    for row in rows:
        row["Human Outcome"] = "fail"
    write(trialkit.folder / "hunted.csv", rows)
    assert trialkit("import", "hunted.csv", "--run", run).status == 0
    data = json.loads(trialkit("align", run, "--format", "json").out)
    assert data["not_random"] == len(rows)
    assert [judge["agreement"]["value"] for judge in data["judges"]] == [None, None]
    assert any(judge["disagreements"] for judge in data["judges"])
    nothing_left = trialkit("label", run, "--where", "disagree", "-o", "more.csv")
    assert nothing_left.status == 2
    assert "nothing to draw" in nothing_left.err


def test_labels_drawn_by_verdict_are_weighed(trialkit: Program) -> None:
    """Of 30 trials the judge passes 24; labels on its fails alone tell no rate, and align says what to draw."""
    cases = [(case(f"C{n:02}"), [ended(verdict("pass" if n % 5 else "fail"), output={"n": n})]) for n in range(30)]
    run = str(write_run(trialkit.folder / "judged.trial", cases))

    def label(*more: str) -> dict[str, Any]:
        assert trialkit("label", run, "-o", "sheet.csv", "--seed", "3", *more).status == 0
        rows = rows_of(trialkit.folder / "sheet.csv")
        (trialkit.folder / "sheet.csv").unlink()
        write(trialkit.folder / "filled.csv", [{**row, "Human Outcome": "pass"} for row in rows])
        assert trialkit("import", "filled.csv", "--run", run).status == 0
        return dict(json.loads(trialkit("align", run, "--format", "json").out))

    data = label("--where", "failed", "--sample", "4")
    assert data["drawn"] == {"failed": 4}
    assert data["judges"][0]["tpr"]["value"] is None
    shown = " ".join(trialkit("align", run).out.split())
    assert "No label on any of the 24 trials that it passed" in shown
    assert f"`trialkit label {run} --where passed --sample 10`" in shown
    data = label("--per-stratum", "3")
    assert data["drawn"] == {"failed": 6, "passed": 3}
    # people pass all of it: of that the judge passes 24 of 30, however many of each have a label
    assert data["judges"][0]["tpr"]["value"] == pytest.approx(0.8)
    assert data["judges"][0]["unlabelled"] == []
    none_left = trialkit("label", run, "-o", "sheet.csv", "--where", "failed")
    assert (none_left.status, "all that the judge failed have labels" in none_left.err) == (2, True)
    assert "give one of them" in trialkit("label", run, "--sample", "3", "--per-stratum", "4").err


def test_a_sheet_is_never_overwritten(trialkit: Program) -> None:
    run = start(trialkit)
    (trialkit.folder / "sheet.csv").write_text("mine")
    assert trialkit("label", run, "-o", "sheet.csv").status == 2
    assert (trialkit.folder / "sheet.csv").read_text() == "mine"
