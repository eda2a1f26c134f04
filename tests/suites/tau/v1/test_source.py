"""Where content is looked for."""

import sys
from pathlib import Path

import pytest

from tests.suites.tau.domains import TASKS, TOOLS, load, tool, write_plain
from tests.suites.tau.v1.test_checkout import write_checkout
from trialkit.errors import InputError
from trialkit.suites.tau import load_domain
from trialkit.suites.tau.v1.source import HOME_VARIABLE


@pytest.fixture(autouse=True)
def _no_content_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path / "cache"))


def test_the_given_folder_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(write_plain(tmp_path / "home", tasks_test=[])))
    given = write_plain(tmp_path / "given")
    assert len(load("retail", given).tasks("test")) == len(TASKS)
    assert load_domain("tau-bench/retail", str(given)) is load("retail", given)


def test_then_the_variable_then_the_package_then_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached = write_plain(tmp_path / "cache" / "data" / "tau-bench")
    assert load_domain("tau-bench/retail") is load("retail", cached)

    site = write_checkout(tmp_path / "site", "retail")
    (site / "tau_bench" / "__init__.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    assert load_domain("tau-bench/retail") is load("retail", site / "tau_bench")
    assert "tau_bench" not in sys.modules

    home = write_plain(tmp_path / "home")
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    assert load_domain("tau-bench/retail") is load("retail", home)


def test_where_there_is_none_the_message_says_what_was_looked_for_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_domain("tau-bench/airline")
    for part in ("airline", HOME_VARIABLE, str(tmp_path / "cache"), "trialkit data fetch tau-bench"):
        assert part in str(caught.value)


@pytest.mark.parametrize("by", ["folder", "variable"])
def test_a_named_folder_without_content_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    write_plain(tmp_path / "cache" / "data" / "tau-bench")
    empty = tmp_path / "empty"
    if by == "variable":
        monkeypatch.setenv(HOME_VARIABLE, str(empty))
    with pytest.raises(InputError, match=r"empty .* holds no tau-bench content for retail"):
        load_domain("tau-bench/retail", empty if by == "folder" else None)


def test_unknown_domains_and_splits_are_named_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no domain 'tau-bench/bank'; there are tau-bench/airline, tau-bench/retail"):
        load_domain("tau-bench/bank")
    with pytest.raises(InputError, match=r"tau-bench/retail has no split 'exam'; it has test"):
        load("retail", write_plain(tmp_path)).tasks("exam")


def test_a_tool_that_trialkit_does_not_have_is_refused_on_load(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the source has the tools juggle, which trialkit does not have"):
        load("retail", write_plain(tmp_path, tools=[*TOOLS, tool("juggle")]))


def test_a_source_without_some_of_the_tools_is_refused_on_load(tmp_path: Path) -> None:
    """Or else the ground truth would come to nothing, and an agent that does nothing would pass."""
    some = [one for one in TOOLS if one["function"]["name"] not in {"cancel_pending_order", "think"}]
    with pytest.raises(InputError, match=r"the source lacks the tools cancel_pending_order, think; use one with"):
        load("retail", write_plain(tmp_path, tools=some))


def test_a_list_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tools\.json: Input should be a valid list \(found {}\)"):
        load("retail", write_plain(tmp_path, tools={}))
