"""A little of what scripts/attack.py does for an hour; docs/reliability.md has what that found."""

import random
import select
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.attack import damage, faults, kills
from tests.attack.children import ended, load_all, run, start
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
    done = run(tmp_path, "run", "commodity", "--model", "baseline")
    assert done.status == 0, done.text
    (whole,) = (tmp_path / "eval_results").glob("*.trial")
    assert damage.damaged(tmp_path / "hurt", whole, seed, 2) == []


@pytest.mark.parametrize("script", faults.SCRIPTS[::16], ids=" ".join)
def test_a_servers_faults_end_a_run_properly(tmp_path: Path, script: tuple[str, str, str]) -> None:
    assert faults.faulty(tmp_path / "run", script) == []


def test_a_command_that_waits_for_ever_is_noticed(tmp_path: Path) -> None:
    """The test of the test."""
    child = start(tmp_path, "runs", first=lambda: select.select([], [], [])[0])
    assert ended(child, tmp_path, 0.5).fault.startswith("hangs")
