"""The wheel's content for the tests that need it, and a small source of our own words for the others."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.suites.tau.v2.tiny import Tiny
from trialkit.suites.tau import load_domain
from trialkit.suites.tau.v2.domain import Tau2Domain


def load(name: str, folder: Path) -> Tau2Domain:
    domain = load_domain(name, folder)
    assert isinstance(domain, Tau2Domain)
    return domain


@pytest.fixture(scope="session")
def retail(tau2_home: Path) -> Tau2Domain:
    return load("tau2/retail", tau2_home)


@pytest.fixture(scope="session")
def airline(tau2_home: Path) -> Tau2Domain:
    return load("tau2/airline", tau2_home)


@pytest.fixture(scope="session", params=["retail", "airline"])
def domain(request: pytest.FixtureRequest, tau2_home: Path) -> Tau2Domain:
    return load(f"tau2/{request.param}", tau2_home)


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[..., Tau2Domain]:
    """Makes a retail domain in the layout of a checkout, of the tasks that it is given."""

    def make(*tasks: dict[str, Any], **parts: Any) -> Tau2Domain:
        return load("tau2/retail", Tiny(tmp_path).write(*tasks, **parts))

    return make
