"""A run and a comparison as one file of HTML: small, whole, and nothing in it is run or loaded but what is ours."""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from zlib import decompress

import pytest

from tests.e2e.program import Program
from tests.pages.test_writers import Tags
from tests.run_files import case, ended, verdict, write_run
from tests.shared import shared_path
from trialkit.analysis.compare import compare_runs
from trialkit.analysis.compare_html import comparison_html
from trialkit.analysis.loaded import load_run
from trialkit.analysis.run_formats import html_report
from trialkit.pages import Note, Page
from trialkit.pages.html import pieces
from trialkit.runfile import Event, RunFile, TrialRecord

HOSTILE = '</script><img src=x onerror=alert(1)> \x1b[31m "quoted"'
_PACKED = re.compile(r'<script type="text/plain" id="([^"]+)">([^<]*)</script>')


def said(*texts: str, outcome: str = "pass") -> TrialRecord:
    events = tuple(Event(kind="message", data={"role": "user", "text": text}) for text in texts)
    record = ended(verdict("pass" if outcome == "pass" else "fail", HOSTILE))
    return TrialRecord(**{**{name: getattr(record, name) for name in TrialRecord.__slots__}, "events": events})


def report(path: Path) -> str:
    with RunFile(path) as run:
        return "".join(html_report(run))


def compared(one: Path, other: Path) -> str:
    return "".join(comparison_html(compare_runs(load_run(one), load_run(other))))


def unpacked(text: str) -> dict[str, str]:
    return {name: decompress(b64decode(packed)).decode() for name, packed in _PACKED.findall(text)}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    both = [said("First.", HOSTILE), said("Second.", outcome="fail")]
    return write_run(tmp_path / "r.trial", [(case("S1"), both), (case("S2"), [said("Third."), None])])


def test_each_trial_lies_packed_where_links_lead(run: Path) -> None:
    text = report(run)
    found = unpacked(text)
    assert [re.search(r"First|Second|Third", one)[0] for one in found.values()] == ["First", "Second", "Third"]  # type: ignore[index]
    led_to = re.findall(r'href="#([^"$]+)"', text)
    assert set(led_to) == found.keys()  # a trial that was not run leads nowhere
    assert "First." not in _PACKED.sub("", text)


def test_strangers_words_are_never_markup(run: Path) -> None:
    text = report(run)
    for one in (text, *unpacked(text).values()):
        page = Tags(one)
        assert page.open == []
        assert "img" not in page.seen
        assert "\x1b" not in one
    first = next(iter(unpacked(text).values()))
    assert "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; \ufffd[31m &quot;quoted&quot;" in first


def test_the_policy_lets_nothing_in_but_our_script_and_style(run: Path, tmp_path: Path) -> None:
    for text in (report(run), "".join(pieces(Page(title="t", parts=(Note(text="x"),))))):
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
        assert policy is not None
        parts = dict(part.strip().split(" ", 1) for part in policy[1].split(";"))
        assert parts["default-src"] == "'none'"
        style, script = (re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL) for tag in ("style", "script"))
        for name, inside in (("style-src", style), ("script-src", script)):
            assert parts[name] == f"'sha256-{b64encode(sha256(inside[-1].encode()).digest()).decode()}'"
        assert " style=" not in text
        assert " onclick=" not in text
        assert "http:" not in text.replace("http-equiv", "")
        assert "https:" not in text


def test_flips_show_both_trials_side_by_side(tmp_path: Path) -> None:
    same = [said("Alike.")]
    one = write_run(tmp_path / "a.trial", [(case("S1"), [said("Hello.", "Left.")]), (case("same"), same)])
    right = [said("Hello.", "Right.", outcome="fail")]
    other = write_run(tmp_path / "b.trial", [(case("S1"), right), (case("same"), same)])
    text = compared(one, other)
    (pair,) = unpacked(text).values()
    assert re.search(r"Left\..*Right\.", pair, re.DOTALL)
    assert 'href="#flip-0"' in text


def test_a_csv_has_no_trials_to_show(run: Path, tmp_path: Path) -> None:
    header = "Scenario ID,Scenario Description,Model Response,Model Outcome,Model Critique\n"
    (tmp_path / "a.csv").write_text(header + "S1,x,y,pass,fine\n")
    (tmp_path / "b.csv").write_text(header + "S1,x,y,fail,wrong\n")
    assert unpacked(compared(tmp_path / "a.csv", tmp_path / "b.csv")) == {}


def test_a_folded_part_is_made_only_when_its_turn_comes() -> None:
    made: list[int] = []

    def folded() -> Iterator[tuple[str, Callable[[], tuple[Note, ...]]]]:
        for number in range(3):

            def parts(number: int = number) -> tuple[Note, ...]:
                made.append(number)
                return (Note(text=str(number)),)

            yield f"p{number}", parts

    rest = pieces(Page(title="t", parts=(Note(text="x"),), folded=folded()))
    told = [next(rest) for _ in range(4)]
    assert made == [0]
    assert unpacked("".join(told)) == {"p0": '<p class="">0</p>'}


def test_five_hundred_trials_of_twenty_steps_can_be_mailed(tmp_path: Path) -> None:
    """As long as real ones: what those of a published run take."""
    Program(tmp_path)("import", str(shared_path("trajectories", "gpt-4.1-retail.json")))
    (path,) = tmp_path.glob("eval_results/*.trial")
    text = report(path)
    steps = sum(trial.count('class="step') for trial in unpacked(text).values())
    assert steps > 1000
    assert len(text) / steps * 500 * 20 < 5_000_000
