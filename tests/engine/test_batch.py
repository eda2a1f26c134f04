"""Which roles of a run are asked in batches, and how many trials then wait together."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.engine.tiny import Screen, TinySettings, TinySuite
from tests.server import Server
from trialkit.engine import Finished, start
from trialkit.errors import InputError
from trialkit.runfile import Prompt, RunFile
from trialkit.suites import Role


class Talking(TinySuite):
    """Its subject converses."""

    def roles(self, settings: TinySettings, prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:
        return {name: replace(role, converses=True) for name, role in super().roles(settings, prompts).items()}


class Judged(Talking):
    """And another model judges."""

    def roles(self, settings: TinySettings, prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:
        spec = super().roles(settings, prompts)["model"].spec
        return {**super().roles(settings, prompts), "judge": Role(spec=spec, phase="judge")}


def run(suite: TinySuite, folder: Path, server: Server, *, screen: Screen | None = None, **more: object) -> Finished:
    where = {"model": "openai/gpt-4.1-mini", "api_base": server.openai_base, "output_dir": folder, "use_cache": False}
    settings = TinySettings.model_validate({**where, "batch": True, "max_concurrency": 2, "cases": 8, **more})
    return asyncio.run(start(suite, settings, lambda _: screen or Screen()))


def test_all_trials_wait_for_one_batch_each_for_its_own_answer(tmp_path: Path) -> None:
    """Trials of one case ask the same, and are told each its own."""
    with Server() as server:
        finished = run(TinySuite(), tmp_path, server, trials=3)
        assert [len(one.bodies) for one in server.batches.submitted] == [24]
    assert not finished.reason
    with RunFile(finished.path) as file:
        assert len(file.calls()) == 24


def test_who_converses_is_asked_at_once_and_only_the_judge_in_batches(tmp_path: Path) -> None:
    screen = Screen()
    with Server() as server:
        run(Judged(), tmp_path, server, screen=screen)
        assert (len(server.requests), server.batches.requests) == (8, 0)  # this judge asks nobody
    assert screen.notices == ["only the judge is asked in batches, at half the price: the model converses"]


def test_where_all_converse_there_is_nothing_for_a_batch(tmp_path: Path) -> None:
    with Server() as server, pytest.raises(InputError, match="--batch: the model converses, so there is nothing"):
        run(Talking(), tmp_path, server)
    assert not list(tmp_path.iterdir())
