"""A little of what scripts/attack.py does for an hour; docs/reliability.md has what that found."""

import random
import select
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yaml import safe_dump

from tests.attack import damage, faults, kills, suites
from tests.attack.children import ended, load_all, start
from tests.attack.hostile import hostile
from tests.attack.readers import READERS


@pytest.mark.parametrize("name", READERS)
@given(seed=st.integers(0, 2**32))
def test_a_hostile_text_is_read_or_told(name: str, seed: int) -> None:
    READERS[name](hostile(random.Random(seed), name))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    load_all()
    with kills.served() as url:
        yield url


@pytest.mark.parametrize("seed", range(2))
def test_a_chain_of_kills_loses_nothing_that_was_recorded(tmp_path: Path, url: str, seed: int) -> None:
    (tmp_path / "calm").mkdir()
    chain = kills.chain(tmp_path / "chain", url, seed, kills.calm(tmp_path / "calm", url))
    assert chain.faults == []
    assert chain.kills > 0


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_run_file_is_read_or_told(tmp_path: Path, seed: int) -> None:
    whole = damage.whole_run(tmp_path, of_file=bool(seed % 2))
    assert damage.damaged(tmp_path / "hurt", whole, seed, 2) == []


@pytest.mark.parametrize("script", faults.SCRIPTS[::16], ids=" ".join)
def test_a_servers_faults_end_a_run_properly(tmp_path: Path, script: tuple[str, str, str]) -> None:
    assert faults.faulty(tmp_path / "run", script) == []


def test_malformed_suites_are_refused_in_a_line(tmp_path: Path) -> None:
    folder = suites.suite_folder(tmp_path)
    assert all(suites.wrong_with(folder, safe_dump(good), sound=False) for good in suites.GOOD)  # which are taken
    assert list(filter(None, (suites.attacked(folder, seed) for seed in range(2000)))) == []


def test_a_command_that_waits_for_ever_is_noticed(tmp_path: Path) -> None:
    """The test of the test."""
    child = start(tmp_path, "runs", first=lambda: select.select([], [], [])[0])
    assert ended(child, tmp_path, 0.5).fault.startswith("hangs")
