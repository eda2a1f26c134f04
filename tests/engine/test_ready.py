"""What a resumed run keeps of how it began."""

import pytest

from trialkit.engine.ready import as_begun
from trialkit.models import ModelSpec, open_model
from trialkit.runfile import ModelInUse
from trialkit.suites import Role


def test_a_run_goes_on_in_the_protocol_that_it_began_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    roles = {
        role: Role(spec=ModelSpec(name=f"openai/{name}")) for role, name in (("subject", "gpt-5"), ("judge", "o3"))
    }
    key = "openai https://api.openai.com/v1 gpt-5"
    began = [ModelInUse(role="subject", name="openai/gpt-5", endpoint="https://api.openai.com/v1", key=key)]
    specs = {name: role.spec for name, role in as_begun({**roles, "env": Role()}, began).items()}
    assert {name: open_model(spec).key for name, spec in specs.items() if spec} == {
        "subject": key,
        "judge": "openai-responses https://api.openai.com/v1 o3",
    }
    assert specs["env"] is None
