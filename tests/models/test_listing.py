"""What is known of models besides their prices."""

import json
from datetime import date, timedelta
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.packages import needs
from trialkit.errors import InputError
from trialkit.models import ModelSpec, endings, find_models

SNAPSHOT = "openai/gpt-4o-2024-08-06"


def test_what_is_listed_of_a_model() -> None:
    (found,) = find_models(SNAPSHOT)
    facts = found.facts
    assert (facts.context, facts.output, facts.tools, facts.vision, facts.reasoning) == (
        128000,
        16384,
        True,
        True,
        False,
    )
    assert (facts.ends, facts.batch) == (date(2027, 1, 14), (1.25e-06, 5e-06))
    assert found.price
    assert found.price.input == 2 * 1.25e-06


def test_patterns() -> None:
    names = [one.name for one in find_models("GPT-4o-2024")]
    assert names == sorted(names)
    assert SNAPSHOT in names
    assert all("gpt-4o-2024" in name for name in names)
    assert [one.name for one in find_models("openai/gpt-4?-2024-08-06")] == [SNAPSHOT]
    assert len(find_models()) > 3000
    with pytest.raises(InputError, match=r"no model like 'gpt-4oo'; did you mean .*gpt-4o"):
        find_models("gpt-4oo")


def test_who_ends_within_sixty_days_is_warned_of_once() -> None:
    (found,) = find_models(SNAPSHOT)
    assert found.facts.ends
    end, spec = found.facts.ends, ModelSpec(name=SNAPSHOT)
    bare = ModelSpec(name="gpt-4o-2024-08-06")
    assert list(endings([spec], end - timedelta(days=61))) == []
    (line,) = endings([spec, bare], end - timedelta(days=60))
    assert line.startswith(f"gpt-4o-2024-08-06 ends on {end}, by the list of ")
    assert line.endswith("; others: trialkit models openai/")
    (line,) = endings([spec], end + timedelta(days=1))
    assert "has ended on" in line
    assert not found.ends_soon(end - timedelta(days=61))


@pytest.mark.parametrize(
    "spec",
    [
        ModelSpec(name=SNAPSHOT, api_base="http://127.0.0.1:9/v1"),  # whose server may have it for ever
        ModelSpec(name="openai/no-such-model"),
        ModelSpec(name="no-such-model"),
        ModelSpec(name="scripted:gpt-4o-2024-08-06"),
        ModelSpec(name="local:gpt-4o-2024-08-06"),
        ModelSpec(name="anthropic/gpt-4o-2024-08-06"),
    ],
)
def test_others_are_not_warned_of(spec: ModelSpec) -> None:
    assert list(endings([spec], date(2099, 1, 1))) == []


def test_a_server_that_the_environment_names_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert list(endings([ModelSpec(name=SNAPSHOT)], date(2099, 1, 1))) == []


def test_what_the_list_says_is_what_litellm_says() -> None:
    needs("litellm", "uv sync --extra litellm")
    found = find_spec("litellm")
    assert found
    assert found.origin
    path = Path(found.origin).parent / "model_prices_and_context_window_backup.json"
    theirs = json.loads(path.read_text(encoding="utf-8"))
    known = [(one, theirs[name]) for one in find_models() if (name := one.name.removeprefix("openai/")) in theirs]
    assert len(known) > 1000
    same = [one for one, entry in known if str(one.facts.ends or "") == (entry.get("deprecation_date") or "")]
    same_size = [one for one, entry in known if one.facts.context == entry.get("max_input_tokens")]
    assert min(len(same), len(same_size)) > 0.9 * len(known)  # a newer release of theirs may say otherwise
