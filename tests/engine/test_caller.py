"""Live calls: nothing that was paid for is asked twice, nothing is lost, and nothing goes over the budget."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.engine.tiny import REQUEST, Model, call, replies
from trialkit.engine.budget import Budget, Purse
from trialkit.engine.caller import Caller, Stop
from trialkit.engine.calls import Call, StoppedError, index
from trialkit.engine.interrupt import Interrupts
from trialkit.engine.meter import Meter
from trialkit.engine.store import ReplyStore
from trialkit.errors import ModelError
from trialkit.models import Connection, Reply, Sent, Traffic
from trialkit.runfile import CallRecord
from trialkit.vocabulary import Usage

USAGE = Usage(input_tokens=3, output_tokens=4)


@dataclass(kw_only=True, slots=True)
class Agent:
    """Talked to through an exchange."""

    name: str = "agent"
    endpoint: str = "here"
    key: str = "agent"
    price_known: bool = True
    billed: bool = False
    storable: bool = False

    async def aclose(self) -> None:
        """Nothing was opened."""


@dataclass(kw_only=True, slots=True)
class Stage:
    """A caller, what it asks and what it records. No time passes between attempts."""

    model: Model
    limit: float | None = None
    retries: int = 0
    billed: bool = True
    recorded: list[CallRecord] = field(default_factory=list)
    known: list[CallRecord] = field(default_factory=list)
    stop: Stop = field(default_factory=Stop)
    waited: list[float] = field(default_factory=list)
    stored: bool = False

    def run(self, work: Callable[[Caller], Awaitable[Any]]) -> Any:
        async def main() -> Any:
            store = ReplyStore() if self.stored else None
            try:
                return await work(self._caller(store))
            finally:
                if store is not None:
                    await store.aclose()

        return asyncio.run(main())

    def ask(self, *calls: Call) -> list[str]:
        async def work(caller: Caller) -> list[str]:
            return [(await caller.ask(one, REQUEST)).reply.text for one in calls]

        said: list[str] = self.run(work)
        return said

    def _caller(self, store: ReplyStore | None) -> Caller:
        return Caller(
            peers={"model": self._connection(), "agent": Agent()},
            record=self._record,
            events=lambda *_: None,
            recorded=index(self.known),
            store=store,
            budget=Budget(Purse(self.limit)),
            stop=self.stop,
            meter=Meter(Traffic()),
        )

    def _connection(self) -> Connection:
        async def sleep(seconds: float) -> None:
            self.waited.append(seconds)

        traffic = Traffic(10, sleep=sleep, uniform=lambda _low, high: high)
        return self.model.connection(traffic, retries=self.retries, billed=self.billed)

    async def _record(self, record: CallRecord) -> None:
        await asyncio.sleep(0)
        self.recorded.append(record)


def test_an_answer_comes_only_when_it_is_recorded() -> None:
    stage = Stage(model=replies(Reply(text="yes", usage=USAGE, cost=0.5)))

    async def work(caller: Caller) -> None:
        answer = await caller.ask(call(), REQUEST)
        assert (answer.reply.text, answer.fresh) == ("yes", True)
        (record,) = stage.recorded
        assert (record.trial_id, record.role, record.model, record.source) == (1, "model", "tiny", "live")
        assert (record.input_tokens, record.output_tokens, record.cost) == (3, 4, 0.5)

    stage.run(work)


def test_a_failed_call_is_recorded_too() -> None:
    stage = Stage(model=replies(ModelError("bad_request", "no such parameter")))
    with pytest.raises(ModelError):
        stage.ask(call())
    (record,) = stage.recorded
    assert (record.reply, record.error_kind, record.error) == (None, "bad_request", "no such parameter")
    assert not record.answered


def test_an_unusable_answer_is_paid_for() -> None:
    error = ModelError("bad_reply", "no choices")
    error.usage, error.cost = USAGE, 0.7
    stage = Stage(model=replies(error), limit=1.0)
    with pytest.raises(ModelError):
        stage.ask(call())
    assert (stage.recorded[0].input_tokens, stage.recorded[0].cost) == (3, 0.7)
    assert stage.recorded[0].answered

    async def twice(caller: Caller) -> None:
        with pytest.raises(ModelError):
            await caller.ask(call(), REQUEST)
        with pytest.raises(StoppedError):
            await caller.ask(call(nth=1), REQUEST)

    stage.run(twice)


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_a_passing_fault_is_tried_again_as_often_as_asked_for(retries: int) -> None:
    stage = Stage(model=replies(ModelError("server", "busy")), retries=retries)
    with pytest.raises(ModelError):
        stage.ask(call())
    assert len(stage.model.asked) == retries + 1
    assert stage.recorded[0].attempts == retries + 1
    assert stage.waited == [0.5 * 2**n for n in range(retries)]


def test_a_lasting_fault_is_not_tried_again() -> None:
    stage = Stage(model=replies(ModelError("context_overflow", "too long")), retries=3)
    with pytest.raises(ModelError):
        stage.ask(call())
    assert len(stage.model.asked) == 1


def test_what_was_recorded_is_not_asked_again() -> None:
    first = Stage(model=replies("yes"))
    first.ask(call())
    stage = Stage(model=replies("no"), known=first.recorded)
    assert stage.ask(call(), call(nth=1), call(trial_id=2), call(request_key="other")) == ["yes", "no", "no", "no"]
    assert len(stage.model.asked) == len(stage.recorded) == 3
    void = [replace(one, void=True) for one in first.recorded]
    assert Stage(model=replies("no"), known=void).ask(call()) == ["no"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("cache")
def test_a_stored_reply_serves_the_same_trial_of_the_same_case_only() -> None:
    async def first(caller: Caller) -> None:
        await caller.ask(call(), REQUEST)
        caller.settle(1, "attempt", good=True)

    Stage(model=replies("yes"), stored=True).run(first)
    others = (call(number=2), call(case_id="b"), call(nth=1), call(request_key="other"))
    stage = Stage(model=replies("no"), stored=True)
    assert stage.ask(call(trial_id=9), *others) == ["yes", "no", "no", "no", "no"]
    assert [one.source for one in stage.recorded] == ["cache", *["live"] * 4]


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("settled", [False, None])
def test_a_reply_that_led_to_nothing_is_not_stored(settled: bool | None) -> None:
    async def first(caller: Caller) -> None:
        await caller.ask(call(), REQUEST)
        if settled is not None:
            caller.settle(1, "attempt", good=settled)

    Stage(model=replies("bad"), stored=True).run(first)
    assert Stage(model=replies("good"), stored=True).ask(call()) == ["good"]


@pytest.mark.usefixtures("cache")
def test_a_stored_reply_that_leads_to_nothing_is_forgotten() -> None:
    async def work(caller: Caller, good: bool) -> str:
        answer = await caller.ask(call(), REQUEST)
        caller.settle(1, "attempt", good=good)
        return answer.reply.text

    said = [
        Stage(model=replies(text), stored=True).run(partial(work, good=good))
        for text, good in (("one", True), ("two", False), ("three", True))
    ]
    assert said == ["one", "one", "three"]


def test_a_call_that_might_go_over_the_budget_is_not_made() -> None:
    stage = Stage(model=replies("yes"), limit=2.5)  # each costs 1
    with pytest.raises(StoppedError):
        stage.ask(*(call(nth=n) for n in range(5)))
    assert len(stage.recorded) == 2
    assert (stage.stop.over_budget, stage.stop.reason) == (True, "the next call might go over --max-cost 2.5")


def test_who_is_not_billed_is_no_part_of_the_budget() -> None:
    stage = Stage(model=replies("yes"), limit=0.5, billed=False)
    assert len(stage.ask(*(call(nth=n) for n in range(5)))) == 5


def test_a_budget_ends_at_a_call_of_unknown_cost() -> None:
    stage = Stage(model=replies(Reply(text="yes")), limit=2.5)
    assert stage.ask(call()) == ["yes"]
    assert "came without what it cost" in stage.stop.reason


@pytest.mark.parametrize("kind", ["auth", "not_found"])
def test_a_first_call_that_finds_the_setup_wrong_stops_the_run_unrecorded(kind: Any) -> None:
    stage = Stage(model=replies(ModelError(kind, "bad key")))
    with pytest.raises(StoppedError):
        stage.ask(call())
    assert (stage.recorded, stage.stop.reason, stage.stop.setup_fault) == ([], "bad key", True)


def test_a_server_that_breaks_off_in_three_trials_and_never_answered_stops_the_run() -> None:
    """As one that is not there does at once; until then it may have been bad luck, and is the trial's error."""
    stage = Stage(model=replies(ModelError("connection", "it broke off")))

    async def work(caller: Caller) -> None:
        for trial_id in (1, 2):
            with pytest.raises(ModelError):
                await caller.ask(call(trial_id=trial_id), REQUEST)
        with pytest.raises(ModelError):  # the same trial once more tells nothing new
            await caller.ask(call(trial_id=2, nth=1), REQUEST)
        with pytest.raises(StoppedError):
            await caller.ask(call(trial_id=3), REQUEST)

    stage.run(work)
    assert (stage.stop.reason, stage.stop.setup_fault, len(stage.recorded)) == ("it broke off", True, 3)


@pytest.mark.parametrize("between", ["yes", ModelError("rate_limit", "slow down")])
def test_whoever_said_anything_is_there(between: Any) -> None:
    broken = ModelError("connection", "it broke off")
    stage = Stage(model=replies(broken, broken, between, broken, broken))

    async def work(caller: Caller) -> None:
        for trial_id in range(1, 6):
            with suppress(ModelError):
                await caller.ask(call(trial_id=trial_id), REQUEST)

    stage.run(work)
    assert (stage.stop.reason, len(stage.recorded)) == ("", 5)


def test_once_a_role_has_answered_its_faults_are_its_own() -> None:
    stage = Stage(model=replies("yes", ModelError("not_found", "gone")))
    with pytest.raises(ModelError):
        stage.ask(call(), call(nth=1))
    assert not stage.stop.reason


def test_a_quota_that_is_used_up_stops_the_run_whenever_it_is() -> None:
    stage = Stage(model=replies("yes", ModelError("quota", "nobody pays")))
    with pytest.raises(StoppedError):
        stage.ask(call(), call(nth=1))
    assert (stage.stop.reason, len(stage.recorded)) == ("nobody pays", 1)


def test_after_a_stop_nothing_is_sent_but_what_is_known_is_told() -> None:
    first = Stage(model=replies("yes"))
    first.ask(call())
    stage = Stage(model=replies("no"), known=first.recorded)
    stage.stop.now("interrupted")
    assert stage.ask(call()) == ["yes"]
    with pytest.raises(StoppedError):
        stage.ask(call(nth=1))
    assert stage.model.asked == []


def test_a_call_that_waited_for_the_budget_is_not_made_once_the_run_stops() -> None:
    """Until the first reply nobody knows what a call costs, so the second one waits for it; and that one fails."""

    async def work(caller: Caller) -> list[Any]:
        return await asyncio.gather(*(caller.ask(call(nth=n), REQUEST) for n in range(2)), return_exceptions=True)

    stage = Stage(model=replies(ModelError("auth", "bad key")), limit=9.0)
    said = stage.run(work)
    assert [type(one) for one in said] == [StoppedError, StoppedError]
    assert len(stage.model.asked) == 1


def test_after_an_interrupt_a_model_is_waited_for_and_an_agent_for_a_moment() -> None:
    stage = Stage(model=replies("yes"), stop=Stop(grace_s=0))
    interrupts = Interrupts()
    interrupts.add(stage.stop)

    async def work(caller: Caller) -> list[Any]:
        over = asyncio.Event()

        async def answered() -> Sent:
            await over.wait()
            return Sent(reply=Reply(text="late", usage=USAGE), attempts=1, latency_s=0.0)

        roles = ("model", "agent")
        asking = [asyncio.ensure_future(caller.exchange(call(role=role), answered)) for role in roles]
        await asyncio.sleep(0)
        interrupts.stop("interrupted")
        await asyncio.wait({asking[1]}, timeout=60)
        over.set()
        return await asyncio.gather(*asking, return_exceptions=True)

    of_model, of_agent = stage.run(work)
    assert of_model.reply.text == "late"
    assert isinstance(of_agent, StoppedError)
    assert [one.role for one in stage.recorded] == ["model"]


def test_what_takes_too_long_by_its_own_account_is_no_stop() -> None:
    async def late() -> Sent:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Stage(model=replies()).run(lambda caller: caller.exchange(call(role="agent"), late))
