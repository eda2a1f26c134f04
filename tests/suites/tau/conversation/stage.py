"""A stage for conversations: a real server whose two models say their lines in turn, and a tiny shop to act in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.server import Action, Call, Protocol, Say, Seen, Server, Thinker
from tests.suites.tau.domains import CANCEL, write_plain
from tests.suites.tau.v2.tiny import Tiny, task
from trialkit.cli.screen import open_screen
from trialkit.engine import resume_run, start_run
from trialkit.runfile import CallRecord, Event, RecordedTrial, RunFile
from trialkit.suites import get_suite
from trialkit.vocabulary import Verdict

STOP = "###STOP###"
CANCEL_CALL = Call(name="cancel_pending_order", arguments=CANCEL["kwargs"])
LOOK_CALL = Call(name="get_order_details", arguments={"order_id": "#W1"})
DONE = Say(text="Cancelled; you get 30.3 back.")
TASKS: list[dict[str, Any]] = [
    {
        "user_id": "ada_1",
        "instruction": "You are Ada. Cancel your pending order and ask what you get back.",
        "actions": [CANCEL],
        "outputs": ["30.3"],
    },
    {"user_id": "ada_1", "instruction": "You are Ada. You only say hello.", "actions": [], "outputs": []},
]


class Cast:
    """The models `agent`, `user` and `judge` of the server: each gives its next answer when it is asked."""

    def __init__(self, **lines: Sequence[str | Action]) -> None:
        self.left = {role: list(said) for role, said in lines.items()}

    def __call__(self, body: dict[str, Any], _protocol: Protocol) -> Action:
        left = self.left[body["model"]]
        assert left, f"the {body['model']} is asked once more than the test has lines"
        line = left.pop(0)
        return Say(text=line) if isinstance(line, str) else line


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """What a run left, and what the server saw of it."""

    path: Path
    trials: list[RecordedTrial]
    calls: list[CallRecord]
    events: list[Event]  # of the first trial
    seen: list[Seen]

    @property
    def trial(self) -> RecordedTrial:
        (only,) = self.trials
        return only

    @property
    def output(self) -> Mapping[str, Any]:
        assert self.trial.output is not None, self.trial.error
        return self.trial.output

    @property
    def verdict(self) -> Verdict:
        assert self.trial.decided is not None
        return self.trial.decided

    @property
    def rules(self) -> list[str]:
        return [note["rule"] for note in self.output["notes"]]

    def asked(self, role: str) -> list[dict[str, Any]]:
        """The bodies of the requests to one of the models."""
        return [seen.body for seen in self.seen if seen.body["model"] == role]


class Stage:
    def __init__(self, folder: Path, server: Server) -> None:
        self.folder = folder
        self.server = server

    def play(
        self,
        *,
        suite: str = "tau-bench/retail",
        protocol: Protocol = "openai",
        tasks: Sequence[dict[str, Any]] | None = None,
        agent: Sequence[str | Action] = (),
        user: Sequence[str | Action] = (),
        judge: Sequence[str | Action] = (),
        agent_name: str | None = None,
        thinking: bool = False,
        **settings: Any,
    ) -> Played:
        """The first task, once, unless the settings say otherwise."""
        cast = Cast(agent=agent, user=user, judge=judge)
        self.server.behave(Thinker(cast) if thinking else cast)
        data_dir = self._tau2(tasks) if suite.startswith("tau2/") else self._tau_bench(tasks)
        values = {
            "model": f"{protocol}/agent",
            "user_model": f"{protocol}/user",
            "api_base": self.server.openai_base if protocol == "openai" else self.server.url,
            "data_dir": data_dir,
            "agent": agent_name,
            "output_dir": self.folder / "results",
            "use_cache": False,
            "retries": 0,
            "max_concurrency": 1,
            **({} if settings.get("task_ids") or settings.get("end_index") else {"end_index": 1}),
            **settings,
        }
        found = get_suite(suite)
        finished = start_run(found, found.settings.model_validate(values), open_screen)
        return self.look(finished.path)

    def resume(self, path: Path, *, errors_too: bool = False) -> Played:
        return self.look(resume_run(path, {}, open_screen, errors_too=errors_too).path)

    def look(self, path: Path) -> Played:
        with RunFile(path) as run:
            trials = run.trials()
            return Played(
                path=path,
                trials=trials,
                calls=run.calls(),
                events=run.transcript(trials[0].id),
                seen=list(self.server.requests),
            )

    def _tau_bench(self, tasks: Sequence[dict[str, Any]] | None) -> Path:
        folder = self.folder / "shop"
        if not folder.exists():
            write_plain(folder, tasks_test=list(tasks or TASKS))
        return folder

    def _tau2(self, tasks: Sequence[dict[str, Any]] | None) -> Path:
        return Tiny(self.folder / "shop2").write(*(tasks or [task()]))


def written(name: str, **arguments: Any) -> str:
    """An action as act and react write it."""
    return "Action:\n" + json.dumps({"name": name, "arguments": arguments})
