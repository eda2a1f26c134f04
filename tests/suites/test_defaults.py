"""The models that settings name by default: none is about to end, by the list that comes along."""

from datetime import date, timedelta

import pytest

from trialkit.models import find_models, listed_on
from trialkit.suites import get_suite, suite_names

DEFAULTS = {
    (suite.name, name): field.default
    for suite in map(get_suite, suite_names())
    for name, field in suite.settings.model_fields.items()
    if name.endswith("model") and isinstance(field.default, str)
}


@pytest.mark.parametrize("place", DEFAULTS, ids="-".join)
def test_no_default_names_a_model_that_ends_soon(place: tuple[str, str]) -> None:
    """Of a name that stands for its newest snapshot, each snapshot."""
    day, name = date.fromisoformat(listed_on()), DEFAULTS[place]
    found = [model for model in find_models(name) if model.name.removeprefix(name)[:2] in {"", "-2"}]
    assert name in {model.name for model in found}
    assert [model.name for model in found if model.facts.ends and model.facts.ends - day <= timedelta(days=60)] == []
