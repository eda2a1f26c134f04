"""A run from its settings to a closed run file, resumed, and replayed: with a suite of our own and no network."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.engine.tiny import Model, Screen, TinySettings, TinySuite, replies
from tests.server import Fault, Say, Server
from trialkit.engine import Finished, replay, resume, start
from trialkit.errors import ModelError
from trialkit.models import ModelSpec, Reply, Request, Traffic
from trialkit.runfile import RunFile
from trialkit.suites import Content, Format, Peer, Role, Runner, found
from trialkit.vocabulary import Verdict


def run(folder: Path, suite: TinySuite, screen: Screen | None = None, **settings: Any) -> Finished:
    values = TinySettings.model_validate({"output_dir": folder, "use_cache": False, "max_concurrency": 1, **settings})
    return asyncio.run(start(suite, values, lambda _: screen or Screen()))


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """Makes a suite known by its name, as an installed package does."""
    info = tmp_path / "site" / "tiny_suite-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-suite\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[trialkit.suites]\ntiny = tests.engine.test_session:INSTALLED\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))

    def put(suite: TinySuite) -> None:
        global INSTALLED  # noqa: PLW0603 - an entry point names a module's variable
        INSTALLED = suite
        found.installed_suite.cache_clear()

    yield put
    found.installed_suite.cache_clear()


INSTALLED = TinySuite()


def test_a_run_is_recorded_with_who_was_asked_and_who_judged(tmp_path: Path) -> None:
    finished = run(tmp_path, replies("yes").suite(), trials=2)
    assert not finished.reason
    with RunFile(finished.path) as file:
        info, models, cases, trials = file.info(), file.models(), file.cases(), file.trials()
    assert (info.suite, info.state) == ("tiny", "done")
    assert [(model.role, model.name) for model in models] == [("model", "tiny")]
    assert [judge.name for judge in info.judges] == ["ear", "eye"]
    assert [(trial.case_id, trial.number) for trial in trials] == [(c, n) for c in "abc" for n in (1, 2)]
    assert len({case.identity for case in cases}) == 3
    assert all(len(case.identity) == 64 for case in cases)


def test_a_run_can_be_made_inside_an_event_loop(tmp_path: Path) -> None:
    async def main() -> tuple[Finished, Finished]:
        settings = TinySettings.model_validate({"output_dir": tmp_path, "use_cache": False})
        one, other = replies("yes").suite(), replies("wrong").suite()
        return await asyncio.gather(start(one, settings, Screen), start(other, settings, Screen))

    one, other = asyncio.run(main())
    assert one.path != other.path
    assert (one.reason, other.reason) == ("", "")


def test_a_run_that_is_cancelled_says_so_and_can_be_resumed(tmp_path: Path, install: Any) -> None:
    async def slow(trial: Any) -> Mapping[str, Any]:
        await asyncio.sleep(0 if trial.case.id == "a" else 60)
        return {"said": "yes"}

    suite = replies("yes").suite()
    suite.attempt = slow  # type: ignore[method-assign]

    async def main() -> None:
        settings = TinySettings.model_validate({"output_dir": tmp_path, "use_cache": False, "max_concurrency": 1})
        async with asyncio.timeout(1):
            await start(suite, settings, Screen)

    with pytest.raises(TimeoutError):
        asyncio.run(main())
    (path,) = tmp_path.glob("*.trial")
    with RunFile(path) as file:
        assert (file.info().state, file.info().reason) == ("stopped", "cancelled")
        assert [trial.outcome for trial in file.trials()] == ["pass", None, None]
    install(replies("yes").suite())
    assert asyncio.run(resume(path, {}, Screen, errors_too=False)).reason == ""


def test_a_suite_that_cancels_itself_leaves_a_run_that_is_stopped(tmp_path: Path) -> None:
    async def cancel(trial: Any) -> Mapping[str, Any]:
        raise asyncio.CancelledError(trial.case.id)

    suite = replies("yes").suite()
    suite.attempt = cancel  # type: ignore[method-assign]
    assert run(tmp_path, suite).reason == "cancelled"


def test_a_run_can_be_made_in_a_thread_of_its_own(tmp_path: Path) -> None:
    async def main() -> Finished:
        return await asyncio.to_thread(run, tmp_path, replies("yes").suite())

    assert asyncio.run(main()).reason == ""


def test_an_agent_is_met_once_on_the_connections_of_the_run(tmp_path: Path) -> None:
    opened: list[Peer] = []
    met: list[Peer] = []

    class Greeting(Runner):
        async def meet(self, content: Content) -> Content:
            met.append(self.connections["model"])
            return Content(subject="who it says it is", cases=content.cases, trials=content.trials[:1])

        async def attempt(self, trial: Any) -> Mapping[str, Any]:
            reply = await trial.ask("model", Request(messages=()))
            return {"said": reply.text}

        async def judge(self, trial: Any, output: Mapping[str, Any]) -> list[Verdict]:
            return [Verdict(outcome="pass", critique="")] * 2

    def connect(traffic: Traffic) -> Peer:
        opened.append(replies("yes").connection(traffic))
        return opened[-1]

    suite = type(
        "Met", (TinySuite,), {"roles": lambda *_: {"model": Role(open=connect)}, "runner": lambda *_: Greeting()}
    )
    finished = run(tmp_path, suite())
    assert met == opened
    assert len(opened) == 1
    with RunFile(finished.path) as file:
        assert file.info().subject == "who it says it is"
        assert len(file.trials()) == 1


def asked(model: Model) -> list[str]:
    return [request.messages[0].text for request in model.asked]


def test_resume_runs_what_is_left_and_no_trial_that_ended(tmp_path: Path, install: Any) -> None:
    model = replies("yes", "wrong", ModelError("auth", "the key was withdrawn"))
    first = run(tmp_path, model.suite(), cases=3, max_cost=2.0)
    assert first.over_budget
    again = replies("yes")
    install(again.suite())
    screen = Screen()
    finished = asyncio.run(resume(first.path, {"max_cost": 9.0}, lambda _: screen, errors_too=False))
    assert not finished.reason
    assert [job.case.id for job in screen.ended_jobs] == ["c"]
    assert asked(again) == ["Say c."]
    with RunFile(finished.path) as file:
        assert [trial.outcome for trial in file.trials()] == ["pass", "fail", "pass"]
    asyncio.run(resume(first.path, {}, Screen, errors_too=False))
    assert len(again.asked) == 1


def test_resume_of_errors_asks_those_again_only(tmp_path: Path, install: Any) -> None:
    first = run(tmp_path, replies("yes", ModelError("context_overflow", "too long"), "yes").suite())
    again = replies("yes")
    install(again.suite())
    screen = Screen()
    asyncio.run(resume(first.path, {}, lambda _: screen, errors_too=True))
    assert [job.case.id for job in screen.ended_jobs] == ["b"]
    assert asked(again) == ["Say b."]


def test_a_judge_that_failed_is_asked_again_about_the_same_answer(tmp_path: Path, install: Any) -> None:
    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    first = run(tmp_path, replies("yes").suite(judge=fail), cases=1)
    with RunFile(first.path) as file:
        assert [one.outcome for one in file.trials()[0].verdicts] == ["error", "error"]
    again = replies("never asked")
    install(again.suite())
    asyncio.run(resume(first.path, {}, Screen, errors_too=True))
    assert again.asked == []
    with RunFile(first.path) as file:
        assert file.trials()[0].outcome == "pass"


def test_a_replay_is_identical_and_asks_nobody(tmp_path: Path, install: Any) -> None:
    finished = run(tmp_path, replies("yes", "wrong", ModelError("server", "down")).suite(), seed=3)
    again = replies("never asked")
    install(again.suite())
    found = asyncio.run(replay(finished.path))
    assert (found.differences, found.trials, found.verdicts) == ((), 3, 6)
    assert again.asked == []


def test_a_replay_tells_of_another_verdict(tmp_path: Path, install: Any) -> None:
    async def strict(*_: object) -> list[Verdict]:
        return [Verdict(outcome="fail", critique="heard")] * 2

    finished = run(tmp_path, replies("yes").suite(), cases=2)
    install(replies("").suite(judge=strict))
    found = asyncio.run(replay(finished.path))
    assert found.differences == ("a trial 1: the verdict differs", "b trial 1: the verdict differs")


def test_a_replay_tells_of_another_answer_and_of_another_request(tmp_path: Path, install: Any) -> None:
    async def louder(self: TinySuite, trial: Any) -> Mapping[str, Any]:
        return {**await TinySuite.attempt(self, trial), "loud": True}

    async def other(_self: TinySuite, trial: Any) -> Mapping[str, Any]:
        return {"said": (await trial.ask("model", Request(messages=()))).text}

    finished = run(tmp_path, replies("yes").suite(), cases=1)
    install(replies("").suite(attempt=louder))
    assert asyncio.run(replay(finished.path)).differences == ("a trial 1: the answer differs",)
    install(replies("").suite(attempt=other))
    assert [one.rpartition(": ")[2] for one in asyncio.run(replay(finished.path)).differences] == [
        "the answer differs",
        "the error differs",
        "the verdict differs",
    ]


def test_a_replay_tells_of_another_file_beside_the_run(tmp_path: Path, install: Any) -> None:
    async def noting(self: TinySuite, trial: Any) -> Mapping[str, Any]:
        trial.note("more")
        return await TinySuite.attempt(self, trial)

    kinds = Format(suffix=".txt", write=lambda run: " ".join(event.kind for event in run.transcript(1)))
    beside = {"beside": ("kinds",), "formats": lambda _: {"kinds": kinds}}
    finished = run(tmp_path, replies("yes").suite(**beside), cases=1)
    install(replies("").suite(**beside))
    assert asyncio.run(replay(finished.path)).differences == ()
    install(replies("").suite(**beside, attempt=noting))
    assert asyncio.run(replay(finished.path)).differences == ("the exported .txt file differs",)


def test_no_secret_of_the_settings_or_of_a_reply_is_in_the_run_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    key = "sk-a-secret-of-forty-characters-or-so-1234"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    said: Iterator[Any] = iter([Say(text=f"Your key is {key}."), Fault(kind="bad_request", echo=key)])
    with Server(lambda _body, _protocol: next(said)) as server:
        spec = ModelSpec(name="openai/subject", api_base=server.openai_base, retries=0)
        suite = type("Real", (TinySuite,), {"roles": lambda *_: {"model": Role(spec=spec)}})()
        finished = run(tmp_path, suite, cases=2)
        assert server.requests[0].headers["authorization"] == f"Bearer {key}"
    assert key.encode() not in finished.path.read_bytes()
    with RunFile(finished.path) as file:
        first, second = file.trials()
    assert first.output is not None
    assert "Your key is" in first.output["said"]
    assert "bad_request" in json.dumps(second.error_kind)


def test_a_judges_reply_that_cannot_be_had_is_never_a_pass(tmp_path: Path) -> None:
    async def judge(_self: TinySuite, trial: Any, output: Any) -> list[Verdict]:
        await trial.ask("model", Request(messages=(), temperature=1.0))
        return [Verdict(outcome="pass", critique="")] * 2

    model = Model(say=lambda request: ModelError("server", "down") if request.temperature == 1 else Reply(text="yes"))
    finished = run(tmp_path, model.suite(judge=judge), cases=1)
    with RunFile(finished.path) as file:
        (trial,) = file.trials()
    assert [one.outcome for one in trial.verdicts] == ["error", "error"]
    assert trial.output is not None
