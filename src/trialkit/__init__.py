"""Puts LLM agents on trial. These are all the public names; docs/reference.md says what each is for."""

from importlib import import_module

TYPE_CHECKING = False  # for tools it is true; importing it takes longest of all that comes before `__main__`
if TYPE_CHECKING:
    from trialkit.agents import AgentKind, get_agent
    from trialkit.agents.served import AgentTool, AgentTrial, serve
    from trialkit.api import Run, Runs, arun, arun_many, case_ids, compare, open_run, run, run_many
    from trialkit.dialogue import (
        Agent,
        By,
        Conversation,
        Environment,
        Move,
        Opening,
        Record,
        Rules,
        ScriptedUser,
        SimulatedUser,
        ToolResult,
        User,
    )
    from trialkit.errors import InputError, JudgeError, ModelError, ModelErrorKind, ReplayError, TrialkitError
    from trialkit.judges import ModelJudge
    from trialkit.models import (
        File,
        Message,
        ModelSpec,
        NothingUsableError,
        Reply,
        Request,
        ScriptedModel,
        StopReason,
        Tool,
        ToolCall,
    )
    from trialkit.models.protocols import ModelAddress, Protocol
    from trialkit.pages import Passage, Table
    from trialkit.runfile import PlannedTrial, Prompt, RecordedTrial, RunFile
    from trialkit.settings import (
        Flags,
        Hidden,
        Incidental,
        JudgeSettings,
        OfJudge,
        OfUser,
        PerSession,
        PromptOf,
        RunSettings,
    )
    from trialkit.suites import (
        CheckedContent,
        Content,
        Details,
        Format,
        ImportedRun,
        Importer,
        ImportSettings,
        Probe,
        Problem,
        Review,
        Role,
        Runner,
        Source,
        Starter,
        Suite,
        Trial,
        Usual,
        Variant,
        other_spec,
        read_prompt,
        subject_spec,
        text_variants,
    )
    from trialkit.vocabulary import PASS, Case, Finding, JudgeInUse, Measure, Usage, Verdict

__version__ = "0.2.0"
__all__ = [
    "PASS",
    "Agent",
    "AgentKind",
    "AgentTool",
    "AgentTrial",
    "By",
    "Case",
    "CheckedContent",
    "Content",
    "Conversation",
    "Details",
    "Environment",
    "File",
    "Finding",
    "Flags",
    "Format",
    "Hidden",
    "ImportSettings",
    "ImportedRun",
    "Importer",
    "Incidental",
    "InputError",
    "JudgeError",
    "JudgeInUse",
    "JudgeSettings",
    "Measure",
    "Message",
    "ModelAddress",
    "ModelError",
    "ModelErrorKind",
    "ModelJudge",
    "ModelSpec",
    "Move",
    "NothingUsableError",
    "OfJudge",
    "OfUser",
    "Opening",
    "Passage",
    "PerSession",
    "PlannedTrial",
    "Probe",
    "Problem",
    "Prompt",
    "PromptOf",
    "Protocol",
    "Record",
    "RecordedTrial",
    "ReplayError",
    "Reply",
    "Request",
    "Review",
    "Role",
    "Rules",
    "Run",
    "RunFile",
    "RunSettings",
    "Runner",
    "Runs",
    "ScriptedModel",
    "ScriptedUser",
    "SimulatedUser",
    "Source",
    "Starter",
    "StopReason",
    "Suite",
    "Table",
    "Tool",
    "ToolCall",
    "ToolResult",
    "Trial",
    "TrialkitError",
    "Usage",
    "User",
    "Usual",
    "Variant",
    "Verdict",
    "__version__",
    "arun",
    "arun_many",
    "case_ids",
    "compare",
    "get_agent",
    "open_run",
    "other_spec",
    "read_prompt",
    "run",
    "run_many",
    "serve",
    "subject_spec",
    "text_variants",
]

#: Module → the names that it gives. They are loaded when first used, so that `import trialkit` stays quick.
_HOMES = {
    "trialkit.agents": "AgentKind get_agent",
    "trialkit.agents.served": "AgentTool AgentTrial serve",
    "trialkit.api": "Run Runs arun arun_many case_ids compare open_run run run_many",
    "trialkit.dialogue": "Agent By Conversation Environment Move Opening Record Rules ScriptedUser SimulatedUser "
    "ToolResult User",
    "trialkit.errors": "InputError JudgeError ModelError ModelErrorKind ReplayError TrialkitError",
    "trialkit.judges": "ModelJudge",
    "trialkit.models": "File Message ModelSpec NothingUsableError Reply Request ScriptedModel StopReason Tool ToolCall",
    "trialkit.models.protocols": "ModelAddress Protocol",
    "trialkit.pages": "Passage Table",
    "trialkit.runfile": "PlannedTrial Prompt RecordedTrial RunFile",
    "trialkit.settings": "Flags Hidden Incidental JudgeSettings OfJudge OfUser PerSession PromptOf RunSettings",
    "trialkit.suites": "CheckedContent Content Details Format ImportSettings ImportedRun Importer Probe Problem "
    "Review Role Runner Source Starter Suite Trial Usual Variant other_spec read_prompt subject_spec "
    "text_variants",
    "trialkit.vocabulary": "PASS Case Finding JudgeInUse Measure Usage Verdict",
}

if not TYPE_CHECKING:  # for a type checker the names are those above, and no others

    def __getattr__(name: str) -> object:
        home = next((home for home, names in _HOMES.items() if name in names.split()), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals().setdefault(name, getattr(import_module(home), name))


def __dir__() -> list[str]:
    return __all__
