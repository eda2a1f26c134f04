"""`trialkit agents train fastworkflow`, with a program in the place of FastWorkflow's Python: the real one needs torch
and the Hugging Face hub."""

import json
from pathlib import Path

import pytest

from tests.e2e.program import Program

#: Says what it was asked to do, and what it found in the two files.
PYTHON = """#!/bin/sh
test "$1 $2" = "-m fastworkflow.train" || exit 9
cp "$4" "$OUT/settings"; cp "$5" "$OUT/keys"; stat -c %a "$5" > "$OUT/mode"; echo "$3" > "$OUT/folder"
echo "$OPENAI_BASE_URL" > "$OUT/base"; env > "$OUT/env"; exit "$STATUS"
"""


@pytest.fixture
def trialkit(tmp_path: Path) -> Program:
    program = Program(tmp_path)
    folder = tmp_path / "cache" / "agents" / "fastworkflow-2.30.1-full"
    examples = folder / "lib" / "python3.12" / "site-packages" / "fastworkflow" / "examples"
    (examples / "retail_workflow").mkdir(parents=True)
    (examples / "fastworkflow.env").write_text("LLM_AGENT=theirs\nSPEEDDICT_FOLDERNAME=x\n")
    (folder / "bin").mkdir()
    (folder / "bin" / "python").write_text(PYTHON)
    (folder / "bin" / "python").chmod(0o755)
    (folder / "trialkit.json").write_text("{}")
    program.env |= {"OUT": str(tmp_path), "STATUS": "0", "OPENAI_API_KEY": "sk-of-this-test"}
    return program


ARGUMENTS = (
    "agents",
    "train",
    "fastworkflow",
    "--model",
    "openai/mine",
    "--api-base",
    "http://127.0.0.1:9/v1",
    *("--agent-env", "OUT", "--agent-env", "STATUS"),
)


def test_it_gets_the_model_and_the_key(trialkit: Program, tmp_path: Path) -> None:
    done = trialkit(*ARGUMENTS)
    assert done.status == 0, done.text
    settings = (tmp_path / "settings").read_text()
    assert "LLM_SYNDATA_GEN=openai/mine" in settings
    assert "theirs" not in settings
    assert "SPEEDDICT_FOLDERNAME=x" in settings
    assert "LITELLM_API_KEY_SYNDATA_GEN=sk-of-this-test" in (tmp_path / "keys").read_text()
    assert (tmp_path / "mode").read_text().strip() == "600"
    assert (tmp_path / "base").read_text().strip() == "http://127.0.0.1:9/v1"
    folder = Path((tmp_path / "folder").read_text().strip())
    assert "fastworkflow" not in str(folder.relative_to(tmp_path))  # else it would leave out half of the training
    assert json.loads((folder.parent / "trialkit.json").read_text()) == {"model": "openai/mine"}
    assert "sk-of-this-test" not in done.text + (tmp_path / "env").read_text()  # it has the key in its file


def test_training_that_fails_leaves_nothing_that_looks_trained(trialkit: Program, tmp_path: Path) -> None:
    trialkit.env["STATUS"] = "3"
    done = trialkit(*ARGUMENTS)
    assert done.status == 2
    assert "failed with status 3" in done.err
    folder = Path((tmp_path / "folder").read_text().strip())
    assert not (folder.parent / "trialkit.json").exists()


def test_a_path_with_its_name_would_be_trained_by_half(trialkit: Program, tmp_path: Path) -> None:
    (tmp_path / "cache").rename(tmp_path / "my-fastworkflow")
    trialkit.env["TRIALKIT_CACHE_DIR"] = str(tmp_path / "my-fastworkflow")
    done = trialkit(*ARGUMENTS)
    assert done.status == 2
    assert "its own name is in the path" in done.err
    assert not (tmp_path / "folder").exists()


def test_it_needs_the_full_environment(tmp_path: Path) -> None:
    done = Program(tmp_path)(*ARGUMENTS)
    assert done.status == 2
    assert "`trialkit agents install fastworkflow` (without --slim)" in done.err
