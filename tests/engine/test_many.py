"""Runs at the same time: what they share, and what each has to itself."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.engine.tiny import Model, Screen, TinySettings, replies
from trialkit.engine import Finished, combinations, start_many
from trialkit.errors import InputError, ModelError
from trialkit.models import Reply, Request
from trialkit.runfile import RunFile


def settings(folder: Path, **values: Any) -> TinySettings:
    return TinySettings.model_validate({"output_dir": folder, "use_cache": False, "cases": 10, **values})


def run(model: Model, several: list[TinySettings]) -> list[Finished]:
    return asyncio.run(start_many(model.suite(), several, lambda _: Screen()))


def test_each_has_a_file_of_its_own_and_none_waits_for_another_to_end(tmp_path: Path) -> None:
    begun, all_begun = set[int | None](), asyncio.Event()

    async def attempt(trial: Any) -> dict[str, object]:
        begun.add(trial.settings.seed)
        if len(begun) == 3:
            all_begun.set()
        await asyncio.wait_for(all_begun.wait(), 60)
        return {"said": "yes"}

    suite = replies("yes").suite()
    suite.attempt = attempt  # type: ignore[method-assign]
    several = [settings(tmp_path, cases=1, max_concurrency=3, seed=seed, name=f"s{seed}") for seed in (1, 2, 3)]
    finished = asyncio.run(start_many(suite, several, lambda _: Screen()))
    assert [one.reason for one in finished] == ["", "", ""]
    for seed, one in enumerate(finished, 1):
        assert f"s{seed}" in one.path.name
        with RunFile(one.path) as file:
            assert [trial.outcome for trial in file.trials()] == ["pass"]


def test_no_more_trials_at_a_time_than_of_one_run(tmp_path: Path) -> None:
    under_way, peak = 0, 0

    async def attempt(trial: Any) -> dict[str, object]:
        nonlocal under_way, peak
        under_way += 1
        peak = max(peak, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return {"said": "yes"}

    suite = replies("yes").suite()
    suite.attempt = attempt  # type: ignore[method-assign]
    several = [settings(tmp_path, max_concurrency=3, seed=seed) for seed in range(4)]
    asyncio.run(start_many(suite, several, lambda _: Screen()))
    assert peak == 3


def test_they_have_one_budget(tmp_path: Path) -> None:
    """Less than either would take, so that it ends both, whichever is faster."""
    finished = run(replies("yes"), [settings(tmp_path, max_cost=8.0, max_concurrency=2, seed=seed) for seed in (1, 2)])
    assert all(one.over_budget for one in finished)
    spent = 0.0
    for one in finished:
        with RunFile(one.path) as file:
            spent += file.spent()
    assert spent == 8.0


def test_a_fault_of_one_does_not_stop_the_others(tmp_path: Path) -> None:
    def say(request: Request) -> Reply | Exception:
        return ModelError("auth", "no such key") if request.seed is None else Reply(text="yes", cost=1.0)

    one, other = run(Model(say=say), [settings(tmp_path), settings(tmp_path, seed=1)])
    assert one.setup_fault
    assert "no such key" in one.reason
    assert not other.reason


def test_nothing_is_written_where_one_cannot_begin(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="min-score"):
        run(replies("yes"), [settings(tmp_path), settings(tmp_path, min_score=1.0)])
    assert not list(tmp_path.iterdir())


def test_combinations_are_named_by_what_differs() -> None:
    suite = replies("yes").suite()
    suite.matrix = {"temperature": [0.0, 1.0]}
    found = combinations(suite, TinySettings, {"model": ("a", "b"), "name": "try", "trials": 2})
    assert [(one["model"], one["temperature"], one["trials"]) for one in found] == [
        ("a", 0.0, 2),
        ("b", 0.0, 2),
        ("a", 1.0, 2),
        ("b", 1.0, 2),
    ]
    assert found[0]["name"] == "try temperature=0.0 model=a"


def test_values_are_named_as_they_are_written() -> None:
    suite = replies("yes").suite()
    found = combinations(suite, TinySettings, {"reasoning": ("low", None), "extra": ({"k": 3}, {"k": 4})})
    assert [one["name"] for one in found][1:3] == ['reasoning=low extra={"k":4}', 'reasoning=null extra={"k":3}']


def test_a_model_needs_no_other_name() -> None:
    suite = replies("yes").suite()
    assert combinations(suite, TinySettings, {"model": ("a", "b")}) == [{"model": "a"}, {"model": "b"}]


def test_what_is_given_counts_before_the_matrix() -> None:
    suite = replies("yes").suite()
    suite.matrix = {"temperature": [0.0, 1.0]}
    assert combinations(suite, TinySettings, {"temperature": (0.5,)}) == [{"temperature": 0.5}]
    assert combinations(suite, TinySettings, {"temperature": 0.5, "tags": ("a=b", "c=d")}) == [
        {"temperature": 0.5, "tags": ("a=b", "c=d")}
    ]


def test_what_is_given_twice_is_refused() -> None:
    with pytest.raises(InputError, match=r"--model a: given twice; `--trials` tries the same again"):
        combinations(replies("yes").suite(), TinySettings, {"model": ("a", "a")})
