"""What was sent in a trial. A run file has but the hash of each request: the trial is replayed, offline, to hear it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from trialkit.models import Request, body_of
from trialkit.runfile import ModelInUse, RunFile
from trialkit.suites import suite_of_run

from .calls import Call, CallReply, Recorded, RecordedCalls, index
from .executor import LocalExecutor
from .job import Job
from .ready import read_settings
from .setup import Setup

#: By the request's key and how many times the same was asked before: its body, as JSON.
HeardBodies = Mapping[tuple[str, int], str]


class _HeardCalls(RecordedCalls):
    """Remembers what is asked. What is recorded is found by its hash, so it is what was sent, or it is not heard."""

    def __init__(self, models: Iterable[ModelInUse], recorded: Recorded) -> None:
        super().__init__(models, recorded, lambda *_: None)
        self.heard: dict[tuple[str, int], str] = {}

    async def ask(self, call: Call, request: Request) -> CallReply:
        self.heard[call.request_key, call.nth] = body_of(request, self.model_key(call.role))
        return await super().ask(call, request)


async def requests_of(path: Path, trial_id: int) -> HeardBodies:
    """Of a trial's attempt and judging; not of those who are told things in another way, such as an agent's process.

    InputError where the suite, or what it is made of, is not here any more.
    """
    with RunFile(path) as run:
        info, prompts, models = run.info(), run.prompts(), run.models()
        trial, recorded = run.trial(trial_id), run.calls(trial_id)
        case = next(case for case in run.cases() if case.id == trial.case_id)
    suite = suite_of_run(info)
    calls = _HeardCalls(models, index(call for call in recorded if call.phase != "after"))
    executor = LocalExecutor(Setup.of(suite, read_settings(suite, path, info.settings), prompts), calls)
    given = trial.output if trial.given else None
    await executor.run(Job(trial_id=trial.id, case=case, number=trial.number, output=given))
    known = {(call.request_key, call.nth) for call in recorded}
    return {key: body for key, body in calls.heard.items() if key in known}
