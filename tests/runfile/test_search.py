"""Words in transcripts."""

from dataclasses import replace
from pathlib import Path

from tests.run_files import case, ended, verdict, write_run
from trialkit.runfile import Event, RunFile, TrialRecord

LONG = "so long that it is kept apart " * 5_000


def test_trials_are_found_by_what_was_said_and_done_and_by_nothing_else(tmp_path: Path) -> None:
    def told(*events: tuple[str, dict[str, object]]) -> TrialRecord:
        return replace(ended(verdict("pass")), events=tuple(Event(kind=kind, data=data) for kind, data in events))

    trials = [
        told(("message", {"role": "user", "text": 'A "lamp",\nplease: Öl.'})),
        told(
            ("tool calls", {"by": "assistant", "text": "", "calls": [{"name": "find", "arguments": '{"id": "#W7"}'}]})
        ),
        told(("observation", {"tool": "find", "text": f"{LONG} needle"})),
        replace(ended(verdict("pass"), output={"messages": [{"role": "user", "content": "imported"}]}), events=()),
    ]
    path = write_run(tmp_path / "a.trial", [(case("S1"), trials)])
    expected = {
        "LAMP": [1],
        '"lamp",\nplease': [1],
        "Öl": [1],
        "öl": [],
        "#W7": [2],
        "needle": [3],
        "imported": [4],
        "find": [2, 3],
        "role": [4],  # of an answer all is searched
        "assistant": [],
    }
    with RunFile(path) as run:
        found = {words: sorted(run.that_say(words)) for words in expected}
    assert found == expected
