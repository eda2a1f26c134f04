"""A run under way, followed by HTTP: what comes when, and how it ends."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.runfile.writing import planned
from trialkit.runfile import Label, write_labels

from .conftest import Viewer, opened
from .events import following
from .going_on import going_on
from .test_pages import HOSTILE


def told(event: dict[str, str]) -> str:
    return " ".join(event["progress"].split())


def test_progress_cost_and_trials_come_as_they_happen(viewer: Viewer, tmp_path: Path) -> None:
    path = planned(tmp_path / "a.trial", trials=4)
    with going_on(path) as run, following(viewer, run="a.trial") as events:
        assert "0 of 4 trials" in told(events.until("run", state="running"))
        run.say("Hello.", first=True)
        text = told(events.next("run"))
        assert ("a/1</a>" in text, "$0.25" in text) == (True, True)
        run.end()
        assert "1 of 4 trials" in told(events.next("run"))
        for trial_id in (2, 3, 4):
            run.end(trial_id)
        run.finish()
        last = events.until("run", state="done")
        assert ("4 of 4 trials" in told(last), "100.0%" in told(last), "data-stops" in last["controls"]) == (
            True,
            True,
            False,
        )


def test_the_steps_of_a_trial_come_as_they_happen_and_only_the_new_ones(viewer: Viewer, tmp_path: Path) -> None:
    path = planned(tmp_path / "a.trial", trials=2)
    with going_on(path) as run, ExitStack() as stack:
        run.say("One.", first=True)
        early = stack.enter_context(following(viewer, run="a.trial", case="a", trial="1"))
        first = early.next("steps")
        assert (first["first"], "One." in "".join(first["steps"])) == (0, True)
        run.say(HOSTILE)
        second = early.next("steps")
        assert second["first"] > 0
        assert "&lt;img" in "".join(second["steps"])
        assert "<img" not in "".join(second["steps"])
        late = stack.enter_context(following(viewer, run="a.trial", case="a", trial="1"))
        whole = late.next("steps")
        assert (whole["first"], len(whole["steps"]) > second["first"], whole["ended"]) == (0, True, False)
        run.say("Another trial's.", 2, first=True)
        run.end(2)
        run.end()
        for events in (early, late):
            last = events.next("steps")
            assert (last["ended"], "Another" in "".join(last["steps"])) == (True, False)
        run.close()


def test_a_process_that_is_killed_is_told_though_the_file_stays_as_it_was(viewer: Viewer, tmp_path: Path) -> None:
    path = planned(tmp_path / "a.trial")
    with ExitStack() as stack:
        with going_on(path) as run:
            events = stack.enter_context(following(viewer, run="a.trial"))
            run.say("Hello.", first=True)
            assert "data-stops" in events.until("run", state="running")["controls"]
            run.close()
        assert "data-resumes" in events.until("run", state="killed")["controls"]


def test_labels_are_news_too(viewer: Viewer, tmp_path: Path) -> None:
    path = planned(tmp_path / "a.trial")
    with following(viewer, run="a.trial") as events:
        before = events.next("run")["change"]
        write_labels(path, [(1, Label(annotator="ann", outcome="pass", critique=""))], {})
        assert events.next("run")["change"] > before


def test_all_who_follow_hear_the_same(viewer: Viewer, tmp_path: Path) -> None:
    path = planned(tmp_path / "a.trial", trials=4)
    with going_on(path) as run, ExitStack() as stack:
        pages = [stack.enter_context(following(viewer, run="a.trial")) for _ in range(20)]
        run.end()
        for page in pages:
            while "1 of 4 trials" not in told(page.next("run")):
                """What there was when it came."""
        run.close()


def test_a_run_file_that_is_deleted_is_told_and_nobody_waits_any_longer(viewer: Viewer, tmp_path: Path) -> None:
    path = planned(tmp_path / "a.trial")
    with following(viewer, run="a.trial") as events:
        events.next("run")
        path.unlink()
        assert "no such run file" in events.next("gone")["told"]
        with pytest.raises(EOFError):
            events.next("run")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("run=none.trial", "no such run file"),
        ("run=../a.trial", "no run of this folder"),
        ("run=a.trial&case=nobody", "no trial 1 of a case nobody"),
    ],
)
def test_what_is_not_there_cannot_be_followed(viewer: Viewer, tmp_path: Path, query: str, said: str) -> None:
    planned(tmp_path / "a.trial")
    status, text, _ = viewer.ask(f"/live?{query}")
    assert (status, said in text) == (404, True)


def test_a_stranger_cannot_follow(locked: Viewer, tmp_path: Path) -> None:
    planned(tmp_path / "a.trial")
    assert locked.ask("/live?run=a.trial")[0] == 401
    assert locked.ask("/live?run=a.trial", host="evil.example")[0] == 421


def test_a_viewer_ends_though_pages_follow_and_says_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    planned(tmp_path / "a.trial")
    with ExitStack() as stack:
        viewers = opened(tmp_path)
        viewer = next(viewers)
        pages = [stack.enter_context(following(viewer, run="a.trial")) for _ in range(3)]
        for page in pages:
            page.next("run")
        gone = following(viewer, run="a.trial")
        with gone as page:  # closed without a word
            page.next("run")
        assert list(viewers) == []
        for page in pages:
            with pytest.raises(EOFError):
                page.until("run", state="never")
    assert capfd.readouterr() == ("", "")
