"""The program: one process, one conversation at a time."""

import json
import os
import shutil
import sys
import uuid
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from . import fixes
from .models import Models, told_of
from .place import own_folder, private_copy
from .wire import Abandoned, JsonObject, Theirs, Wire

_ROLES = ("SYNDATA_GEN", "PARAM_EXTRACTION", "RESPONSE_GEN", "PLANNER", "AGENT", "CONVERSATION_STORE")
_SHOWN = 300


class Worker:
    def __init__(self, wire: Wire, trained_folder: str | None) -> None:
        self._wire = wire
        self._models = Models()
        self._notes: list[str] = []
        self._called = False
        self._context: Theirs = None
        own_folder()  # if there can be none, that is told before seconds are spent on loading
        slim = fixes.without_torch()
        self._fastworkflow: Theirs = import_module("fastworkflow")
        shipped = Path(str(self._fastworkflow.__file__)).parent / "examples" / "retail_workflow"
        self._workflow = private_copy(Path(trained_folder) if trained_folder else shipped)
        self._fastworkflow.init(env_vars=_environment(self._fastworkflow))
        self._models.install()
        fixes.outside_tools(self._workflow, self._call)
        training: Theirs = import_module("fastworkflow.model_pipeline_training")
        self._mode = "stub" if slim or not training.is_workflow_trained(str(self._workflow))[0] else "trained"
        names = self._fastworkflow.RoutingRegistry.get_definition(str(self._workflow)).get_command_names("*")
        self._commands = sorted(name for name in names if "/" not in name)
        if self._mode == "stub":
            fixes.stub_router(self._commands)
        fixes.private_learning(self._workflow.parent)
        fixes.context_errors()
        fixes.typed_flag()
        agent: Theirs = import_module("fastworkflow.workflow_agent")
        self._agent = agent
        self._signature = self._agent.WorkflowAgentSignature
        self._execute = agent._execute_workflow_query  # noqa: SLF001 - there is no other way in
        self._agent._execute_workflow_query = self._executing  # noqa: SLF001 - likewise

    def run(self) -> None:
        while True:
            message = self._wire.read()
            try:
                self._deal_with(message)
            except Abandoned:
                self._end()

    def _deal_with(self, message: JsonObject) -> None:
        try:
            if message["type"] == "start":
                self._start(message)
            elif message["type"] == "user":
                self._turn(message["text"])
            elif message["type"] == "end":
                self._end()
            else:
                self._wire.answer(type="error", message=f"nobody waits for {message['type']!r}")
        except Exception as error:  # noqa: BLE001 - whatever it is, trialkit is to know
            fault = self._models.take_fault() or told_of(error, "FastWorkflow failed")
            self._wire.answer(type="error", **fault, **self._told())

    def _start(self, message: JsonObject) -> None:
        self._close()
        self._models.settings = message["settings"]
        self._models.fault = None
        self._models.take_usage()
        policy = message["policy"]
        rules = f"\n\nPOLICY, to be followed strictly:\n{policy}"
        self._agent.WorkflowAgentSignature = self._signature.with_instructions(self._signature.instructions + rules)
        shutil.rmtree(self._workflow.parent / "cache.db", ignore_errors=True)
        session = uuid.uuid4().hex
        workflow = self._fastworkflow.Workflow.create(str(self._workflow), workflow_id_str=session)
        self._context = self._fastworkflow.WorkflowExecutionContext(run_as_agent=True, session_key=session)
        self._context.bind_app_workflow(workflow)
        self._context._ensure_agent_initialized()  # noqa: SLF001 - it would undo the next line later
        self._context._planning_insights = policy  # noqa: SLF001 - where its planner looks
        name = f"{version('fastworkflow')} (dspy {version('dspy')}, litellm {version('litellm')})"
        self._wire.answer(
            type="ready", protocol=1, name="FastWorkflow", version=name, mode=self._mode, tools=self._commands
        )

    def _turn(self, text: str) -> None:
        fixes.fresh_steps(self._context)
        result = self._context.process_turn(fixes.plain_text(text))
        fault = self._models.take_fault()
        if fault is not None:  # its answer was made without what the model would have said
            self._wire.answer(type="error", **fault, **self._told())
            return
        if result.failure_reason:
            self._notes.append(f"FastWorkflow calls this turn failed: {result.failure_reason}")
        self._wire.answer(type="reply", text=result.answer or "", **self._told())

    def _end(self) -> None:
        self._close()
        self._wire.answer(type="ended")

    def _close(self) -> None:
        if self._context is not None:
            context, self._context = self._context, None
            workflow = context.app_workflow
            context.close()
            workflow.close()
        self._notes.clear()

    def _executing(self, command: str, **options: Theirs) -> Theirs:
        """Around each command of the agent's: what becomes of it is told."""
        before, self._called = self._called, False
        self._notes.append(f"command: {command}"[:_SHOWN])
        response = self._execute(command, **options)
        if not self._called:
            self._notes.append(f"no tool was called for it: {' '.join(str(response).split())}"[:_SHOWN])
        self._called = self._called or before
        return response

    def _call(self, name: str, arguments: JsonObject) -> str:
        """A tool, executed by trialkit."""
        self._called = True
        plain = json.loads(json.dumps(arguments, default=str))
        self._wire.answer(type="calls", calls=[{"name": name, "arguments": plain}], **self._told())
        message = self._wire.read()
        if message["type"] != "results":
            raise Abandoned
        return str(message["results"][0]["text"])

    def _told(self) -> JsonObject:
        notes, self._notes = self._notes, []
        return {"usage": self._models.take_usage(), "notes": notes}


def _environment(package: Theirs) -> JsonObject:
    """What FastWorkflow reads its settings from. The names of models only have to be there: `Models` knows better."""
    dotenv: Theirs = import_module("dotenv")
    shipped = dotenv.dotenv_values(Path(package.__file__).parent / "examples" / "fastworkflow.env")
    roles = {f"LLM_{role}": "trialkit" for role in _ROLES} | {f"LITELLM_API_KEY_{role}": "none" for role in _ROLES}
    return {**shipped, **roles, "LOG_LEVEL": "ERROR"}


def main() -> None:
    wire = Wire()
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else it waits for the network at every start
    os.environ["LOG_LEVEL"] = "ERROR"
    Worker(wire, sys.argv[1] if len(sys.argv) > 1 else None).run()


main()
