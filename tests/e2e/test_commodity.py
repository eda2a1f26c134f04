"""The commodity suite from the command line, against a real server."""

import csv
import json
from pathlib import Path

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.server import Call, Fault, Say, Server
from trialkit.suites.commodity.rows import COLUMNS

GOLDEN_IDS = [f"S{number:02}" for number in range(1, 11)]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def results(trialkit: Program) -> list[dict[str, str]]:
    return rows_of(trialkit.last_run().with_suffix(".csv"))


def model(server: Server) -> list[str]:
    return ["--model", "openai/subject", "--judge-model", "openai/judge", "--api-base", server.openai_base]


def test_baseline_runs_offline_and_is_judged_by_rules(trialkit: Program) -> None:
    done = trialkit("run", "commodity", "--model", "baseline", "--output-dir", "out")
    assert done.status == 0, done.err
    (table,) = (trialkit.folder / "out").glob("*.csv")
    rows = rows_of(table)
    assert list(rows[0])[:12] == list(COLUMNS)
    assert [row["Scenario ID"] for row in rows] == GOLDEN_IDS
    assert {row["Judge"] for row in rows} == {"rules"}
    assert {row["Model Outcome"] for row in rows} <= {"pass", "fail"}
    passed = sum(row["Model Outcome"] == "pass" for row in rows)
    assert f"{passed}/10" in done.out
    assert all(json.loads(row["Model Response"])["suggestions"] for row in rows)


def test_the_floors_are_put_on_trial_and_an_implausible_number_of_alerts_is_told(trialkit: Program) -> None:
    """That both pass all ten scenarios is what they are there to show."""
    for name, warned, each in (("constant", False, 2), ("shotgun", True, 140)):
        done = trialkit("run", "commodity", "--model", f"baseline:{name}", "--output-dir", name)
        assert done.status == 0, done.err
        assert "10/10" in done.out
        assert ("IMPLAUSIBLE: 10 answers of 10" in done.out) is warned
        (run,) = (trialkit.folder / name).glob("*.trial")
        told = json.loads(trialkit("report", str(run), "--format", "json").out)["metrics"]
        assert (told["alerts_per_answer"]["value"], told["implausible_answers"]) == (each, 10 * warned)
    wrong = trialkit("run", "commodity", "--model", "baseline:none")
    assert wrong.status == 2
    assert "baseline, baseline:constant, baseline:shotgun" in wrong.err


def test_cases_are_generated_and_run(trialkit: Program) -> None:
    made = ("cases", "generate", "commodity", "--n", "30", "--seed", "4")
    done = trialkit(*made, "-o", "golden/generated.csv")
    assert (done.status, done.out) == (0, "wrote 30 cases to golden/generated.csv\n"), done.err
    assert trialkit(*made).out.splitlines() == (trialkit.folder / "golden/generated.csv").read_text().splitlines()
    run = trialkit("run", "commodity", "--csv", "golden/generated.csv", "--model", "baseline")
    assert "30/30" in run.out, run.text
    for wrong, said in (
        ((*made, "-o", "golden/generated.csv"), "there already"),
        ((*made, "-o", "golden/generated.csv/x"), "cannot be written"),
        (("cases", "generate", "tau2/retail", "--n", "3"), "tau2/retail generates no cases"),
        (("cases", "generate", "nothing", "--n", "3"), "nothing"),
        (("cases", "generate", "commodity", "--n", "0"), "--n"),
    ):
        done = trialkit(*wrong)
        assert done.status == 2, wrong
        assert said in done.err


def test_a_model_is_analysed_and_judged(trialkit: Program, server: Server, court: Court) -> None:
    done = trialkit("run", "commodity", *model(server), "--verbose")
    assert done.status == 0, done.err
    assert (court.analyses, court.judgements) == (10, 10)
    row = results(trialkit)[0]
    assert row["Model Outcome"] == "pass"
    assert row["Model Critique"] == "As the checks say."
    assert json.loads(row["Model Response"])["suggestions"][0]["threshold_price"] == 4.2
    assert (row["Input Tokens"], row["Output Tokens"]) == ("1300", "180")
    assert row["Cost USD"] == ""  # no one knows the price of openai/subject
    assert "unknown (no list has the price of openai/judge, openai/subject; name a file with it in" in done.out
    assert "S01 trial 1: pass" in done.err


def test_a_failing_verdict_is_a_fail(trialkit: Program, server: Server, court: Court) -> None:
    court.met = False
    done = trialkit("run", "commodity", *model(server), "--ids", "S01,S02")
    assert done.status == 0
    assert [row["Model Outcome"] for row in results(trialkit)] == ["fail", "fail"]


def test_contradicting_judge_is_asked_once_more_then_error_then_resumed(
    trialkit: Program, server: Server, court: Court
) -> None:
    court.outcome = "fail"  # while every check is met
    done = trialkit("run", "commodity", *model(server), "--ids", "S01")
    assert done.status == 3
    assert court.judgements == 2
    assert results(trialkit)[0]["Model Outcome"] == "error"
    assert "resume --errors" in done.err
    court.outcome = None
    again = trialkit("resume", "--errors", str(trialkit.last_run()))
    assert again.status == 0  # only the judge is asked again: its first replies led to nothing
    assert (court.analyses, court.judgements) == (1, 3)
    assert trialkit("replay", str(trialkit.last_run())).status == 0


def test_a_judge_that_says_two_things_is_asked_once_more(trialkit: Program, server: Server, court: Court) -> None:
    def verdict(met: bool) -> Call:
        findings = [{"check": n, "met": met, "evidence": ""} for n in (1, 2, 3)]
        outcome = "pass" if met else "fail"
        return Call(name="record_verdict", arguments={"findings": findings, "critique": "", "outcome": outcome})

    court.judge = Say(calls=(verdict(False), verdict(True)))
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 3
    assert court.judgements == 2
    (row,) = results(trialkit)
    assert row["Model Outcome"] == "error"
    assert "contradict each other" in row["Model Critique"]


def test_failed_judge_is_an_error_and_can_be_tried_again(trialkit: Program, server: Server, court: Court) -> None:
    court.judge = Fault(kind="bad_request")
    done = trialkit("run", "commodity", *model(server), "--ids", "S01,S02")
    assert done.status == 3
    assert [row["Model Outcome"] for row in results(trialkit)] == ["error", "error"]
    assert results(trialkit)[0]["Model Response"]
    court.judge = None
    again = trialkit("resume", "--errors", str(trialkit.last_run()))
    assert again.status == 0, again.err
    assert [row["Model Outcome"] for row in results(trialkit)] == ["pass", "pass"]
    assert court.analyses == 2  # the answers were there already


def test_malformed_calls_are_kept_but_are_no_suggestions(trialkit: Program, server: Server, court: Court) -> None:
    good = {"commodity_code": "CORN", "condition": "below", "threshold_price": 4.2, "notes": ""}
    court.analyst = Say(
        text="r",
        calls=(
            Call(name="create_alert", arguments="{broken"),
            Call(name="sell", arguments={}),
            Call(name="create_alert", arguments={**good, "threshold_price": -1}),
            Call(name="create_alert", arguments=good),
        ),
    )
    assert trialkit("run", "commodity", *model(server), "--ids", "S01", "--judge", "rules").status == 0
    assert len(json.loads(results(trialkit)[0]["Model Response"])["suggestions"]) == 1
    report = trialkit("report", str(trialkit.last_run()), "--format", "json")
    (trial,) = json.loads(report.out)["cases"][0]["trials"]
    malformed = [event for event in trial["transcript"] if event["kind"] == "malformed alert"]
    assert [event["index"] for event in malformed] == [0, 1, 2]
    assert all(event["problems"] for event in malformed)


def test_both_judges_are_recorded_and_a_disagreement_is_flagged(
    trialkit: Program, server: Server, court: Court
) -> None:
    court.met = False  # the rules say that S01 passes: below, 4.2 in 3.80..4.25
    done = trialkit("run", "commodity", *model(server), "--ids", "S01", "--judge", "both")
    assert done.status == 0
    row = results(trialkit)[0]
    assert (row["Model Outcome"], row["Rules Outcome"], row["Judges Agree"]) == ("fail", "pass", "no")
    assert "judges agree" in done.out
    assert "0.0%" in done.out


def test_a_doubtful_mention_is_told_as_such_and_the_model_decides(
    trialkit: Program, server: Server, court: Court
) -> None:
    alert = {"commodity_code": "CORN", "condition": "below", "threshold_price": 4.0, "notes": ""}
    court.analyst = Say(text="Risk: none.", calls=(Call(name="create_alert", arguments=alert),))
    one = (*model(server), "--ids", "S09")
    by_rules = trialkit("run", "commodity", *one, "--judge", "rules")
    assert by_rules.status == 3, by_rules.text
    (row,) = results(trialkit)
    assert (row["Model Outcome"], court.judgements) == ("error", 0)
    assert row["Model Critique"].startswith('not decidable by rules: "reasoning must mention risk"')
    court.met = False
    assert trialkit("run", "commodity", *one, "--judge", "both").status == 0
    (row,) = results(trialkit)
    assert (row["Model Outcome"], row["Rules Outcome"], row["Judges Agree"]) == ("fail", "error", "")


def test_two_phases_give_what_one_run_gives(trialkit: Program, server: Server) -> None:
    whole = trialkit("run", "commodity", *model(server))
    assert whole.status == 0
    expected = results(trialkit)
    first = trialkit("run", "commodity", *model(server), "--skip-judge", "--output-dir", "phase1")
    assert first.status == 0, first.err
    (answers,) = (trialkit.folder / "phase1").glob("*.csv")
    assert {row["Model Outcome"] for row in rows_of(answers)} == {""}
    second = trialkit("run", "commodity", *model(server), "--skip-analysis", "--csv", str(answers))
    assert second.status == 0, second.err
    got = results(trialkit)
    same = [column for column in expected[0] if not column.endswith("Latency s")]  # tokens and cost of both phases too
    assert [[row[column] for column in same] for row in got] == [[row[column] for column in same] for row in expected]


def test_skip_analysis_needs_answers(trialkit: Program, server: Server) -> None:
    nothing = trialkit("run", "commodity", *model(server), "--skip-analysis")
    assert nothing.status == 2
    assert "scenarios.csv: no row has a Model Response" in nothing.err
    assert not trialkit.run_files()
    assert trialkit("run", "commodity", *model(server), "--skip-judge", "--ids", "S01,S02").status == 0
    rows = results(trialkit)
    rows[0]["Model Response"] = ""
    edited = trialkit.folder / "edited.csv"
    with edited.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    some = trialkit("run", "commodity", *model(server), "--skip-analysis", "--csv", "edited.csv")
    assert some.status == 3
    assert "1 trial ended in error\n" in some.err  # and no advice to try it again: there is nothing to judge


def test_rows_that_have_an_answer_or_a_verdict_are_kept(trialkit: Program, server: Server, court: Court) -> None:
    assert trialkit("run", "commodity", *model(server), "--ids", "S01,S02,S03").status == 0
    table = trialkit.last_run().with_suffix(".csv")
    rows = rows_of(table)
    rows[1].update({"Model Outcome": "", "Model Critique": "", "Judge": ""})
    rows[2].update(dict.fromkeys(COLUMNS[7:], ""))
    edited = trialkit.folder / "edited.csv"
    with edited.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    court.analyses = court.judgements = 0
    court.met = False
    done = trialkit("run", "commodity", *model(server), "--csv", str(edited), "--no-cache")
    assert done.status == 0, done.err
    assert (court.analyses, court.judgements) == (1, 2)
    assert [row["Model Outcome"] for row in results(trialkit)] == ["pass", "fail", "fail"]
    assert "kept" in done.err


def test_a_filtered_results_csv_is_run_as_it_stands(trialkit: Program, server: Server, court: Court) -> None:
    done = trialkit("run", "commodity", *model(server), "--ids", "S01,S02", "--trials", "3", "--judge", "both")
    assert done.status == 0, done.err
    rows = [row | {"Note": f"{row['Scenario ID']}/{row['Trial']}"} for row in results(trialkit)]
    picked = [row for row in rows if row["Note"] in {"S01/3", "S02/1", "S02/2"}]
    picked[1].update({"Model Outcome": "", "Model Critique": "", "Human Critique": "not sure"})
    edited = trialkit.folder / "edited.csv"
    with edited.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, picked[0])
        writer.writeheader()
        writer.writerows(picked)
    court.analyses = court.judgements = 0
    again = trialkit("run", "commodity", *model(server), "--csv", str(edited), "--judge", "rules")
    assert again.status == 0, again.err
    assert (court.analyses, court.judgements) == (0, 0)
    got = results(trialkit)
    assert [row["Note"] for row in got] == ["S01/3", "S02/1", "S02/2"]
    assert [got[0], got[2]] == [picked[0], picked[2]]  # kept whole, with what they cost
    assert (got[1]["Judge"], got[1]["Judges Agree"], got[1]["Human Critique"]) == ("rules", "", "not sure")
    assert got[1]["Input Tokens"] == picked[1]["Input Tokens"] != "0"
    assert trialkit("replay", str(trialkit.last_run())).status == 0


def test_human_columns_come_back(trialkit: Program, server: Server) -> None:
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 0
    rows = rows_of(trialkit.last_run().with_suffix(".csv"))
    rows[0].update({"Human Outcome": "fail", "Human Critique": "=too wide"})
    edited = trialkit.folder / "labelled.csv"
    with edited.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert trialkit("run", "commodity", *model(server), "--csv", str(edited)).status == 0
    assert results(trialkit)[0]["Human Outcome"] == "fail"
    report = json.loads(trialkit("report", str(trialkit.last_run()), "--format", "json").out)
    assert report["cases"][0]["trials"][0]["labels"] == [
        {"annotator": "human", "outcome": "fail", "critique": "=too wide", "score": None, "settles": False}
    ]


def test_formulas_in_model_text_are_harmless_in_the_csv_and_unchanged_in_the_run(
    trialkit: Program, server: Server, court: Court
) -> None:
    evil = '=HYPERLINK("http://x")'
    court.judge = Say(
        calls=(
            Call(
                name="record_verdict",
                arguments={
                    "findings": [{"check": n, "met": True, "evidence": ""} for n in (1, 2, 3)],
                    "critique": evil,
                    "outcome": "pass",
                },
            ),
        )
    )
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 0
    assert results(trialkit)[0]["Model Critique"] == f"'{evil}"
    report = json.loads(trialkit("report", str(trialkit.last_run()), "--format", "json").out)
    assert report["cases"][0]["trials"][0]["verdicts"][0]["critique"] == evil


def test_prompt_versions_are_found_here_first_and_recorded(trialkit: Program, server: Server) -> None:
    folder = trialkit.folder / "analyzer_prompts"
    folder.mkdir()
    (folder / "v2.txt").write_text("You watch corn.", encoding="utf-8-sig")  # as Windows' editors save it
    assert trialkit("run", "commodity", *model(server), "--ids", "S01", "--analyzer-prompt", "v2").status == 0
    assert server.requests[0].body["messages"][0]["content"] == "You watch corn."
    unknown = trialkit("run", "commodity", *model(server), "--analyzer-prompt", "v9")
    assert unknown.status == 2
    assert "v1" in unknown.err
    assert "v2" in unknown.err


def test_init_writes_a_folder_that_runs(trialkit: Program) -> None:
    assert trialkit("init", "start").status == 0
    golden = trialkit.folder / "start" / "golden" / "scenarios.csv"
    golden.write_text("\n".join(golden.read_text().splitlines()[:3]) + "\n")
    inner = Program(trialkit.folder / "start")
    done = inner("run", "commodity", "--model", "baseline")
    assert done.status == 0, done.err
    assert len(rows_of(inner.last_run().with_suffix(".csv"))) == 2
    refused = trialkit("init", "start")
    assert refused.status == 2
    assert "nothing was written" in refused.err


def test_every_bad_row_is_named_before_anything_is_spent(trialkit: Program, server: Server) -> None:
    assert trialkit("init", ".").status == 0
    golden = trialkit.folder / "golden" / "scenarios.csv"
    lines = golden.read_text().splitlines()
    lines[1] = lines[1].replace("strict", "exact", 1)
    lines[3] = lines[3].replace('""long""', '""sideways""', 1)
    golden.write_text("\n".join(lines) + "\n")
    done = trialkit("run", "commodity", *model(server))
    assert done.status == 2
    assert "scenarios.csv:2" in done.err
    assert '"Eval Type"' in done.err
    assert "scenarios.csv:4" in done.err
    assert "sideways" in done.err
    assert not server.requests
    assert not trialkit.run_files()
