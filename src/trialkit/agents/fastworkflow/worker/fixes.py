"""What has to be put right in FastWorkflow 2.30.1 for a benchmark to mean anything. Each has a test."""

import os
import sys
import types
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from .wire import JsonObject, Theirs


def without_torch() -> bool:
    """Stands in for the two modules that need torch, where it is not installed. Says whether it did."""
    if find_spec("torch") is not None:
        return False
    pipeline: Theirs = types.ModuleType("fastworkflow.model_pipeline_training")
    pipeline.ModelPipeline = pipeline.CommandRouter = type("Untrained", (), {})
    pipeline.get_route_layer_filepath_model = lambda folder, name: os.path.join(folder, "___command_info", name)  # noqa: PTH118 - its own form
    pipeline.is_workflow_trained = lambda _path: (False, ["*"])
    matching: Theirs = types.ModuleType("fastworkflow.cache_matching")
    matching.cache_match = matching.store_utterance_cache = _nothing
    sys.modules[pipeline.__name__], sys.modules[matching.__name__] = pipeline, matching
    package: Theirs = import_module("fastworkflow")
    package.model_pipeline_training, package.cache_matching = pipeline, matching
    return True


def stub_router(commands: list[str]) -> None:
    """Untrained, commands are found by their exact names; for all others a model is asked to choose among them all."""
    detection: Theirs = import_module("fastworkflow._workflows.command_metadata_extraction.intent_detection")

    class StubRouter:
        modelpipeline = None

        def __init__(self, path: str) -> None:
            pass

        def predict(self, command: str) -> list[str]:  # noqa: ARG002 - whatever it is, it is not known
            return list(commands)

    detection.CommandRouter = StubRouter
    detection.cache_match = detection.store_utterance_cache = _nothing


def private_learning(folder: Path) -> None:
    """What it learns from conversations is kept in a RocksDB file that takes one process and lasts: ours is private."""
    detection: Theirs = import_module("fastworkflow._workflows.command_metadata_extraction.intent_detection")
    detection.CommandNamePrediction._get_cache_path_cache = staticmethod(  # noqa: SLF001 - there is no other way in
        lambda _convo_path: str(folder / "cache.db")
    )


def context_errors() -> None:
    """DSPy wraps the error that FastWorkflow waits for, so that a long conversation is never shortened."""
    react: Theirs = import_module("fastworkflow.utils.react")
    exceptions: Theirs = import_module("dspy.utils.exceptions")
    wrapped = getattr(exceptions, "ContextWindowExceededError", None)
    if wrapped is not None:
        react.ContextWindowExceededError = (react.ContextWindowExceededError, wrapped)


def typed_flag() -> None:
    """`needs_human` has no type, so it is text, and the text "False" is true: the user would be asked every time."""
    clarification: Theirs = import_module("fastworkflow.intent_clarification_agent")
    signature = clarification.IntentClarificationAgentSignature
    clarification.IntentClarificationAgentSignature = signature.with_updated_fields("needs_human", type_=bool)


def fresh_steps(context: Theirs) -> None:
    """The counter of an agent's steps is never set back between turns, and ends the second one at once."""
    if not context.awaiting_user and context.workflow_tool_agent is not None:
        context.workflow_tool_agent.iteration_counter = 0


def plain_text(text: str) -> str:
    """A message that begins with a slash would be a command that goes past the agent."""
    return f" {text}" if text.startswith("/") else text


def outside_tools(workflow: Path, call: Callable[[str, JsonObject], str]) -> None:
    """Its commands load the data afresh every time, so that what they write is lost: `call` executes them instead."""
    sys.path.insert(0, str(workflow.parent))
    data: Theirs = import_module(f"{workflow.name}.retail_data")
    data.load_data = dict
    for path in sorted((workflow / "tools").glob("*.py")):
        if path.stem not in {"__init__", "tool"}:
            module = import_module(f"{workflow.name}.tools.{path.stem}")
            for found in list(vars(module).values()):
                if isinstance(found, type) and found.__module__ == module.__name__ and hasattr(found, "invoke"):
                    found.invoke = staticmethod(_invoke(path.stem, call))


def _invoke(name: str, call: Callable[[str, JsonObject], str]) -> Callable[..., str]:
    def invoke(data: Theirs = None, **arguments: Theirs) -> str:  # noqa: ARG001 - FastWorkflow's signature
        return call(name, arguments)

    return invoke


def _nothing(*_args: Theirs, **_options: Theirs) -> None:
    return None
