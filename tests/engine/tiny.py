"""A small suite, and a model that says what it is told to: what the engine's own tests need."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trialkit.engine.calls import Call, CallReply, Send
from trialkit.engine.job import Job
from trialkit.engine.schedule import Tally
from trialkit.models import Connection, Message, Reply, Request, Traffic
from trialkit.models.connection import Identity
from trialkit.runfile import Event, Prompt, TrialRecord
from trialkit.settings import RunSettings
from trialkit.suites import Role, Suite, Trial
from trialkit.vocabulary import Case, JudgeInUse, Verdict

PROMPTS = {"subject": Prompt(role="subject", version="v1", hash="0" * 64, text="Be brief.")}
REQUEST = Request(messages=(Message(role="user", text="Hello?"),))


def case(name: str = "a") -> Case:
    return Case(id=name, title=f"Case {name}", group="g", data={"asked": f"Say {name}."})


def job(trial_id: int = 1, name: str = "a", number: int = 1, output: Mapping[str, Any] | None = None) -> Job:
    return Job(trial_id=trial_id, case=case(name), number=number, output=output)


def call(**changes: Any) -> Call:
    values = {"trial_id": 1, "case_id": "a", "number": 1, "phase": "attempt", "role": "model", "nth": 0}
    return Call(**{**values, "request_key": REQUEST.key("model"), **changes})


class TinySettings(RunSettings):
    cases: int = 3
    judged: bool = True


class TinySuite(Suite[TinySettings]):
    """Asks each case once; a second judge is asked too where there is one."""

    name = "tiny"
    settings = TinySettings
    beside = ()

    def cases(self, settings: TinySettings) -> list[Case]:
        return [case("abcdefghij"[n]) for n in range(settings.cases)]

    def judges(self, settings: TinySettings, prompts: Mapping[str, Prompt]) -> Sequence[JudgeInUse]:
        return [JudgeInUse(name="ear", kind="rules"), JudgeInUse(name="eye", kind="rules")] if settings.judged else []

    async def attempt(self, trial: Trial[TinySettings]) -> Mapping[str, Any]:
        messages = (Message(role="user", text=trial.case.data["asked"]),)
        reply = await trial.ask("model", Request(messages=messages, seed=trial.seed, temperature=0.5))
        return {"said": reply.text, "seed": trial.seed}

    async def judge(self, trial: Trial[TinySettings], output: Mapping[str, Any]) -> Sequence[Verdict]:
        good = output["said"] != "wrong"
        return [Verdict(outcome="pass" if good else "fail", critique="heard")] * (2 if trial.settings.judged else 0)


@dataclass(kw_only=True, slots=True)
class Model:
    """A client that says what `say` makes of a request; an error that it gives is raised."""

    say: Callable[[Request], Reply | Exception]
    asked: list[Request] = field(default_factory=list)

    async def send(self, request: Request) -> Reply:
        self.asked.append(request)
        await asyncio.sleep(0)
        said = self.say(request)
        if isinstance(said, Exception):
            raise said
        return said

    async def aclose(self) -> None:
        """Nothing was opened."""

    def connection(self, traffic: Traffic, *, retries: int = 0, billed: bool = True) -> Connection:
        identity = Identity(name="tiny", endpoint="here", key="model", price_known=True, billed=billed)
        return Connection(identity, self, traffic, retries)

    def suite(self, **kinds: Any) -> TinySuite:
        """The tiny suite with this model on trial; `kinds` replace its methods."""
        roles = {"model": Role(open=self.connection)}
        suite: TinySuite = type("Tiny", (TinySuite,), {"roles": lambda *_: roles, **kinds})()
        return suite


def replies(*said: Reply | Exception | str) -> Model:
    """These in turn, and the last from then on."""
    waiting = [Reply(text=one, cost=1.0) if isinstance(one, str) else one for one in said]
    return Model(say=lambda _: waiting.pop(0) if len(waiting) > 1 else waiting[0])


@dataclass(kw_only=True, slots=True)
class FakeCalls:
    """Answers each call by what `say` makes of it, and remembers them."""

    say: Callable[[Call], Reply | BaseException] = lambda _: Reply(text="yes")
    called: list[Call] = field(default_factory=list)
    noted: list[tuple[int, Event]] = field(default_factory=list)

    def model_key(self, role: str) -> str:
        return f"the model of the {role}"

    async def ask(self, call: Call, request: Request) -> CallReply:
        self.called.append(call)
        said = self.say(call)
        if isinstance(said, BaseException):
            raise said
        return CallReply(said, fresh=True)

    async def exchange(self, call: Call, send: Send) -> CallReply:
        self.called.append(call)
        return CallReply((await send()).reply, fresh=True)

    def events(self, trial_id: int, events: Sequence[Event]) -> None:
        self.noted += [(trial_id, event) for event in events]

    def kinds(self) -> list[str]:
        return [event.kind for _, event in self.noted]


class Screen:
    """Shows nothing, and remembers which trials ended, and what was to be known before."""

    def __init__(self, verbose: bool = False) -> None:
        self.ended_jobs: list[Job] = []
        self.notices: list[str] = []

    def opened(self, path: Path, tally: Tally, notices: Sequence[str]) -> None:
        self.notices += notices

    def ended(self, job: Job, record: TrialRecord, tally: Tally) -> None:
        self.ended_jobs.append(job)

    def say(self, line: str) -> None: ...

    def interrupted(self, tally: Tally, reason: str) -> None: ...

    def closed(self) -> None: ...
