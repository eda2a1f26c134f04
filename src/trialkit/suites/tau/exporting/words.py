"""What tau-bench's result files have of an agent's own words: its system message, and actions that it wrote as text."""

from collections.abc import Iterator, Mapping
from typing import Any

from trialkit.agents.text import RESULT
from trialkit.errors import InputError
from trialkit.runfile import Event, RunFile
from trialkit.suites.tau import load_domain
from trialkit.suites.tau.content import digest
from trialkit.suites.tau.importing.tau_bench import SYSTEM, are_actions
from trialkit.suites.tau.prompting import agent_system

from .ended import Ended


def system_message(run: RunFile) -> str | None:
    """As it was imported, or put together anew; None if it is not known, or not the same in all trials."""
    prompts = {prompt.role: prompt.text for prompt in run.prompts()}
    if SYSTEM in prompts:
        return prompts[SYSTEM]
    info = run.info()
    content = info.versions.get(f"{info.suite} sha256")
    if content is None or "examples" in prompts:
        return None
    try:
        domain = load_domain(info.suite, info.settings.get("data_dir"))
        if digest(domain, info.settings["task_split"]) != content:
            return None  # the content changed since
    except InputError:
        return None
    return agent_system(domain, prompts["agent"]) if "agent" in prompts else domain.policy


def as_written(run: RunFile, one: Ended) -> list[dict[str, object]] | None:
    """The conversation as an agent that writes its actions as text had it; None if this is not one."""
    if one.source or not any(prompt.role == "agent" for prompt in run.prompts()):
        return None
    texts = list(_texts(run.transcript(one.row.id)))
    messages = one.output.get("messages", ())
    if len(texts) != sum(message["role"] == "assistant" for message in messages):
        return None
    left = iter(texts)
    found = [_message(message, left) for message in messages]
    return found if are_actions(texts) else None


def _texts(events: list[Event]) -> Iterator[str]:
    """For each move of the agent's, the reply that it was read from: the last one before it."""
    reply = ""
    for event in events:
        if event.kind == "reply" and event.data["role"] == "agent":
            reply = event.data.get("text") or ""
        elif event.kind == "tool calls" or (event.kind == "message" and event.data["role"] == "assistant"):
            yield reply


def _message(message: Mapping[str, Any], texts: Iterator[str]) -> dict[str, object]:
    if message["role"] == "assistant":
        return {"role": "assistant", "content": next(texts)}
    if message["role"] == "tool":
        return {"role": "user", "content": f"{RESULT}{message['content']}"}
    return dict(message)
