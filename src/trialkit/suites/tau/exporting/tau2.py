"""A run as tau2 would have written it: `timestamp`, `info`, `tasks`, `simulations`."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from trialkit import __version__
from trialkit.dialogue import read_arguments
from trialkit.errors import InputError
from trialkit.runfile import RecordedTrial, RunFile, RunInfo
from trialkit.suites.tau import load_domain
from trialkit.suites.tau.common.breakdown import is_error
from trialkit.suites.tau.common.tasks import EnvAssertion
from trialkit.suites.tau.common.verdicts import BASES
from trialkit.suites.tau.content import digest
from trialkit.suites.tau.importing.tau2 import INFO, OWN, UNREAD
from trialkit.suites.tau.v2.domain import Tau2Domain
from trialkit.text.json import JsonObject, pretty
from trialkit.vocabulary import Case

from .ended import Ended, ended_trials


def tau2_report(run: RunFile) -> str:
    trials = ended_trials(run)
    info = run.info()
    written = written_tasks(info)
    kept = next((json.loads(prompt.text) for prompt in run.prompts() if prompt.role == INFO), None)
    data = {
        **(
            kept or {"timestamp": info.created, "info": _info(info, {model.role: model.name for model in run.models()})}
        ),
        "tasks": [task for case in run.once(RunFile.cases) if (task := _task(case, written)) is not None],
        "simulations": [_simulation(one, info) for one in trials],
    }
    return pretty(data)


def _info(info: RunInfo, models: Mapping[str, str]) -> dict[str, object]:
    settings = info.settings
    return {
        "git_commit": f"trialkit {__version__}",
        "num_trials": settings.get("trials", 1),
        "max_steps": settings.get("max_steps"),
        "max_errors": settings.get("max_errors"),
        "user_info": {
            "implementation": settings.get("user_strategy") or "llm",
            "llm": models.get("user"),
            "llm_args": {},
            "global_simulation_guidelines": None,
        },
        "agent_info": {
            "implementation": settings.get("agent") or "tool-calling",
            "llm": models.get("agent"),
            "llm_args": {"temperature": settings.get("temperature")},
        },
        "environment_info": {"domain_name": info.suite.removeprefix("tau2/"), "policy": "", "tool_defs": None},
        "seed": settings.get("seed"),
    }


def written_tasks(info: RunInfo) -> Mapping[str, JsonObject]:
    """As the benchmark has them, and its leaderboard knows them; none where the content is another, or not here."""
    try:
        domain = load_domain(info.suite, info.settings.get("data_dir"))
        like = digest(domain, info.settings["task_split"]) == info.versions.get(f"{info.suite} sha256")
    except InputError:
        return {}
    return domain.written_tasks if like and isinstance(domain, Tau2Domain) else {}


def _task(case: Case, written: Mapping[str, JsonObject]) -> dict[str, object] | None:
    """As it was imported, as the benchmark has it, or else from the parts that a case of ours holds."""
    data = case.data
    if data.get("task") is not None:
        return dict(data["task"])
    if case.id in written:
        return dict(written[case.id])
    if "scenario" not in data:
        return None
    return {
        "id": case.id,
        "user_scenario": data["scenario"],
        "initial_state": data.get("initial_state"),
        "evaluation_criteria": data.get("criteria"),
    }


def _simulation(one: Ended, info: RunInfo) -> dict[str, object]:
    row = one.row
    simulation = one.source.get("simulation") or {
        "id": str(uuid5(NAMESPACE_URL, f"trialkit {info.created} {one.case.id} {row.number}")),
        "timestamp": row.ended,
        "start_time": row.started,
        "end_time": row.ended,
        "duration": row.elapsed_s,
        "agent_cost": one.row.cost_of("agent"),
        "user_cost": one.row.cost_of("user"),
        "reward_info": _reward_info(one) if one.error is None else _no_reward(one),
        "seed": info.settings.get("seed"),
        "skipped": one.error is not None,
    }
    return {
        **simulation,
        "task_id": one.case.id,
        "trial": row.number - 1,
        "termination_reason": one.source.get("termination_reason") or _reason(one),
        "messages": [
            {**_message(message), **(extra if one.source else _further(message, place, row))}
            for place, message, extra in one.messages()
        ],
    }


def _reason(one: Ended) -> str:
    """tau2 has no word for a transfer: the user stops then. A trial without a verdict is written as tau2 does it."""
    if one.error is not None:
        return "agent_error"
    end: str = one.output["end"]
    return "user_stop" if end == "transfer" else end


def _no_reward(one: Ended) -> dict[str, object]:
    """tau2 writes 0 for a trial that it skips because of an error; what it stands for is told beside."""
    return {"reward": 0.0, "info": {OWN: {"error": one.error, "end": one.output.get("end")}}}


def _reward_info(one: Ended) -> dict[str, object]:
    parts: Mapping[str, float | None] = one.details.get("parts") or {}
    if not parts:
        return {"reward": one.reward, "info": {"note": one.row.decided.critique if one.row.decided else ""}}
    names = {ours: name for name, ours in BASES.items()}
    found: dict[str, object] = {
        "reward": one.reward,
        "reward_basis": [names[part] for part in parts],
        "reward_breakdown": {names[part]: value for part, value in parts.items() if value is not None},
    }
    if "db" in parts:
        found["db_check"] = {"db_match": parts["db"] == 1.0, "db_reward": parts["db"]}
    if "outputs" in parts:
        found["communicate_checks"] = [
            {"info": output, "met": output not in one.unsaid(), "justification": ""}
            for output in one.case.data["outputs"]
        ]
    criteria = one.case.data.get("criteria") or {}
    if "env_assertions" in parts:
        found["env_assertions"] = [_env_check(asserted, one) for asserted in criteria.get("env_assertions") or ()]
    if "actions" in parts:
        found["action_checks"] = [_action_check(gold, one) for gold in criteria.get("actions") or ()]
    if "nl_assertions" in parts:
        found["nl_assertions"] = _assertions(one)
    return found


def _env_check(asserted: JsonObject, one: Ended) -> dict[str, object]:
    failed = [evidence["assertion"] for evidence in one.evidence("assertion_failed")]
    met = EnvAssertion(**asserted).text not in failed
    return {"env_assertion": asserted, "met": met, "reward": float(met)}


def _action_check(gold: JsonObject, one: Ended) -> dict[str, object]:
    missed = [(evidence["tool"], evidence["arguments"]) for evidence in one.evidence("action_not_made")]
    met = (gold["name"], gold["arguments"]) not in missed
    return {"action": gold, "action_match": met, "action_reward": float(met)}


def _assertions(one: Ended) -> list[dict[str, object]]:
    """What a model found about those assertions."""
    wanted = set(((one.case.data.get("criteria") or {}).get("nl_assertions")) or ())
    findings = one.row.decided.findings if one.row.decided else ()
    return [
        {"nl_assertion": finding.check, "met": bool(finding.met), "justification": finding.evidence}
        for finding in findings
        if finding.check in wanted
    ]


def _message(message: Mapping[str, Any]) -> dict[str, object]:
    role, content = message["role"], message["content"]
    if role == "tool":
        return {"id": message["tool_call_id"], "role": "tool", "content": content}
    calls, unread = [], []
    for place, call in enumerate(message.get("tool_calls", ())):
        arguments = _arguments(call["arguments"])
        if arguments is None:  # tau2 has only objects here; what a model wrote instead is put into one
            unread.append(place)
            arguments = {"arguments": call["arguments"]}
        calls.append({"id": call["id"], "name": call["name"], "arguments": arguments, "requestor": role})
    own = {"raw_data": {OWN: {UNREAD: unread}}} if unread else {}
    return {"role": role, "content": content, "tool_calls": calls or None, **own}


def _further(message: Mapping[str, Any], place: int, row: RecordedTrial) -> Mapping[str, object]:
    """What else a message has in tau2's own files."""
    fields = {"turn_idx": place, "timestamp": row.started}
    if message["role"] == "tool":
        return {
            "requestor": "user" if message.get("by") == "user" else "assistant",
            "error": is_error(message["content"]),
            **fields,
        }
    return fields


def _arguments(text: str) -> dict[str, object] | None:
    """None: they are no object, or nested so deeply that tau2's parser would give up."""
    try:
        return read_arguments(text)
    except ValueError:
        return None
