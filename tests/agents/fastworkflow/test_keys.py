"""FastWorkflow's worker asks a model by itself: its key must be named, or nothing is started."""

from pathlib import Path

from tests.e2e.program import Program
from tests.shared import shared_path


def test_a_key_that_was_not_named_is_asked_for(tmp_path: Path) -> None:
    trialkit = Program(tmp_path)
    folder = tmp_path / "cache" / "agents" / "fastworkflow-2.30.1-slim"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").touch()
    (folder / "trialkit.json").write_text("{}")
    trialkit.env["OPENAI_API_KEY"] = "sk-of-this-test"
    command = ["run", "tau-bench/retail", "--agent", "fastworkflow", "--model", "openai/mine", "--task-ids", "0"]
    command += ["--user-strategy", "scripted", "--data-dir", str(shared_path("tau-bench"))]
    done = trialkit(*command)
    assert done.status == 2
    assert "it asks openai/mine by itself; OPENAI_API_KEY: set here" in done.err
    assert "--agent-env OPENAI_API_KEY" in done.err
    named = trialkit(*command, "--agent-env", "OPENAI_API_KEY")
    assert "cannot be started" in named.err  # the Python that is none; all else is in order
