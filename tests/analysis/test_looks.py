"""A p-value that was looked at before is told as one; the log of looks is never needed."""

import json
from pathlib import Path

from tests.analysis.test_compare import cases, run
from tests.e2e.program import Program
from trialkit.analysis.all_pairs_pages import all_pairs_json, all_pairs_page
from trialkit.analysis.compare import Comparison, compare_all, compare_runs
from trialkit.analysis.loaded import load_run
from trialkit.analysis.looks import LOG, with_looks, with_looks_of_all
from trialkit.pages import write_page


def look(a: Path, b: Path) -> Comparison:
    return with_looks(compare_runs(load_run(a), load_run(b)))


def peeked(one: Comparison) -> str:
    return next((warning for warning in one.warnings if warning.startswith("PEEKED AT")), "")


def test_runs_that_have_grown_since_are_looked_at_again(tmp_path: Path) -> None:
    a, b = run(tmp_path / "a.trial", cases("ppff")), run(tmp_path / "b.trial", cases("pfxx"))
    assert not peeked(look(a, b))
    assert not peeked(look(a, b))  # the same figures once more are no further look
    grown = run(tmp_path / "grown.trial", cases("pfff"))
    grown.replace(b)
    _as_created(tmp_path)
    said = peeked(look(a, b))
    assert "these runs were compared before, once with other trials. That makes 2 looks; of runs" in said
    assert "--sequential" in said


def _as_created(folder: Path) -> None:
    """The run file of a test is made anew where a real one would have grown."""
    log = folder / LOG
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    created = load_run(folder / "b.trial").created
    log.write_text("".join(json.dumps({**row, "b": f"b.trial of {created}"}) + "\n" for row in rows))


def test_a_set_up_that_is_run_anew_is_looked_at_again(tmp_path: Path) -> None:
    a = run(tmp_path / "a.trial", cases("ppff"))
    folders = [tmp_path / str(place) for place in range(10)]
    for folder in folders:
        folder.mkdir()  # wherever B lies, it is A that it comes back to
    same = [run(folder / "b.trial", cases("pfpf"), settings={"model": "b"}) for folder in folders]
    other = run(tmp_path / "other.trial", cases("pfpf"), settings={"model": "another"})
    assert not peeked(look(a, same[0]))
    assert not peeked(look(a, other))
    said = [peeked(look(a, one)) for one in same[1:]]
    assert "runs of B's set-up were compared with A once before. That makes 2 looks" in said[0]
    assert "9 times before. That makes 10 looks" in said[-1]
    assert "% or more after so many" in said[-1]


def test_of_several_runs_each_is_a_look_at_the_first(tmp_path: Path) -> None:
    """Those of one table, which corrects for their number, are no further looks at each other."""
    a = run(tmp_path / "a.trial", cases("ppff"))
    b, c, d = (run(tmp_path / f"{n}.trial", cases("pfpf"), settings={"model": "b"}) for n in "bcd")
    other = run(tmp_path / "other.trial", cases("pfpf"), settings={"model": "another"})
    first = with_looks_of_all(compare_all([load_run(path) for path in (a, b, c)]))
    assert first.peeked == ()
    again = with_looks_of_all(compare_all([load_run(path) for path in (a, other, d)]))
    (said,) = again.peeked
    assert said.startswith("A and C: PEEKED AT: runs of C's set-up were compared with A 2 times before. That makes 3")
    assert json.loads(all_pairs_json(again))["warnings"][-1] == said
    assert "A and C: PEEKED AT" in write_page(all_pairs_page(again), "console")
    assert "runs of B's set-up were compared with A 2 times before" in peeked(look(a, d))


def test_a_log_that_cannot_be_read_or_written_is_none(tmp_path: Path) -> None:
    a, b = run(tmp_path / "a.trial", cases("ppff")), run(tmp_path / "b.trial", cases("pfpf"))
    log = tmp_path / LOG
    for broken in (b"\xff\xfe", b"[1]\n{}\n{\n", b'{"a": 1}\n'):
        log.write_bytes(broken)
        assert not peeked(look(a, b))
    log.unlink()
    log.mkdir()
    assert not peeked(look(a, b))
    assert list(log.iterdir()) == []


def test_the_log_stays_small(tmp_path: Path) -> None:
    a, b = run(tmp_path / "a.trial", cases("ppff")), run(tmp_path / "b.trial", cases("pfpf"))
    (tmp_path / LOG).write_text('{"a": "x"}\n' * 5000)
    look(a, b)
    rows = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert len(rows) == 500
    assert rows[-1]["verdicts"] == [4, 4]


def test_a_run_that_ended_once_it_was_decided_has_no_p_of_one_look(tmp_path: Path) -> None:
    trialkit = Program(tmp_path)
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    a = str(trialkit.last_run())
    assert trialkit("run", "commodity", "--model", "baseline", "--until-decided", "--against", a).status == 4
    warnings = json.loads(trialkit("compare", a, str(trialkit.last_run()), "--format", "json").out)["warnings"]
    assert "B was to end as soon as it was decided, so p is not that of one look: take --sequential." in warnings
