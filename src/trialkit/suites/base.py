"""What a suite is: its cases, how a trial of one runs, and how it is judged. All else has a default."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol

from typing_extensions import TypeVar

from trialkit.doors import loaded
from trialkit.errors import InputError
from trialkit.models import Reply, Request
from trialkit.pages import Passage, Table
from trialkit.runfile import PlannedTrial, Prompt, RecordedTrial, RunFile
from trialkit.vocabulary import PASS, Case, JudgeInUse, Measure, Verdict

from .asking import ask_in_one_line
from .cast import Peer, Role
from .content import Content, Details
from .extras import CheckedContent, Importer, Review, Source, Starter, Usual
from .formats import Format
from .hashing import hash_of
from .probes import Probe
from .roles import OTHER_JUDGE, judge_in_use, judge_spec, subject_spec
from .variants import Variant, longest_text, text_variants

if TYPE_CHECKING:  # they take longer to load than a command may that only shows a run
    from collections.abc import Awaitable, Callable

    from trialkit.models import Sent
    from trialkit.settings import RunSettings

#: Rises when a suite written for this one would no longer run.
API = 1

S = TypeVar("S", bound="RunSettings", default="RunSettings")
S_co = TypeVar("S_co", bound="RunSettings", default="RunSettings", covariant=True)


class Trial(Protocol[S_co]):
    """What a suite is given to run one trial with."""

    case: Case
    number: int
    seed: int | None
    cost: float | None  # US dollars, of all replies so far; None: unknown
    seconds: float | None  # that the models took for them; None: some replies were stored ones

    @property
    def settings(self) -> S_co: ...

    @property
    def prompts(self) -> Mapping[str, Prompt]:
        """By role."""

    async def ask(self, role: str, request: Request | str) -> Reply:
        """Call the model that plays this role. What it says is recorded; `ModelError` ends the trial in error.

        A text is asked as the user's only message, with the run's temperature and the trial's seed.
        """

    async def exchange(self, role: str, said: str, send: "Callable[[], Awaitable[Sent]]") -> Reply:
        """A call that is not a model request, such as to an agent's process, which remembers what it was told before.

        It is recorded, paid and replayed like a model call; but a resumed trial makes it again. `said` tells it apart.
        """

    def note(self, kind: str, **data: object) -> None:
        """Add to the transcript."""


class Runner:
    """A suite with its settings and prompts in place: runs trials and judges them."""

    #: Who plays the roles, opened by the engine before the first trial; none in a replay.
    connections: Mapping[str, Peer] = {}

    async def meet(self, content: Content) -> Content:
        """Greets those who are not asked before a run, such as an agent's process; what they tell may change the run.

        Called once, inside the run's event loop, before anything is written. Raises `InputError`.
        """
        return content

    async def attempt(self, trial: Trial) -> Mapping[str, Any]:
        """Run the trial; the output is what the judges see, as JSON data."""
        raise NotImplementedError

    async def judge(self, trial: Trial, output: Mapping[str, Any]) -> Verdict | Sequence[Verdict]:
        """One verdict for each of the suite's judges, in that order; a judge that failed gives `error`."""
        raise NotImplementedError

    async def probes(self, case: Case, among: Sequence[Case]) -> Sequence[Probe]:  # noqa: ARG002 - a default
        """Answers that need no model, to put the suite itself on trial: `trialkit audit SUITE`. `among`: all cases."""
        return ()


class Suite(Generic[S]):
    """A benchmark. `name`, `cases`, `attempt` and `judge` are enough; an entry point names an object or the class.

    It holds no state: whatever a run needs is in its settings, and a runner keeps what is to be read only once.
    """

    api: ClassVar[int] = API  # write `api = 1` in your suite, and a later trialkit says so if that is no longer enough
    name: str
    summary: str = ""
    if TYPE_CHECKING:
        settings: type[RunSettings]
    else:
        settings = loaded("trialkit.settings:RunSettings")
    measures: tuple[Measure, ...] = (PASS,)  # the first is the headline
    rival_judges: bool = True  # whether they decide the same question, so that it tells where they disagree
    beside: tuple[str, ...] = ("json",)  # formats of the report that are written beside the run file
    matrix: Mapping[str, Sequence[object]] = {}  # settings that `run` tries in several ways, unless told otherwise
    definition: Mapping[str, Any] | None = None  # as JSON, where it is installed nowhere: whoever opened it says it

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        ask_in_one_line(cls, Suite)

    def cases(self, settings: S) -> Sequence[Case]:
        """Read and checked whole; `InputError` tells of all that is wrong."""
        raise NotImplementedError(f"the suite {self.name} says neither its cases nor its content")

    async def attempt(self, trial: Trial[S]) -> Mapping[str, Any]:
        """Run one trial; the output is what `judge` sees, as JSON data."""
        raise NotImplementedError(f"the suite {self.name} has neither attempt nor runner")

    async def judge(self, trial: Trial[S], output: Mapping[str, Any]) -> Verdict | Sequence[Verdict]:
        """A verdict for each of `judges`, in that order; a judge that failed gives `error`."""
        raise NotImplementedError(f"the suite {self.name} has neither judge nor runner")

    def content(self, settings: S) -> Content:
        """Reads files, starts nothing. By default as many trials of each case as the settings ask for."""
        cases = list(self.cases(settings))
        kept = [case for case in cases if not case.skipped]
        trials = [PlannedTrial(case_id=case.id, number=n + 1) for case in kept for n in range(settings.trials)]
        identities = [case.identity or self.identity(case) for case in cases]
        versions = {f"{self.name} sha256": hash_of(identities)}
        return Content(subject=settings.model, cases=cases, trials=trials, versions=versions)

    def prompts(self, settings: S) -> Sequence[Prompt]:  # noqa: ARG002 - a default
        """Those that a run with these settings takes."""
        return ()

    def judge_prompts(self, settings: S) -> Sequence[Prompt]:
        """Of these, those that judging takes, so that answers can be judged again where the others are gone."""
        roles = self.roles(settings, {}).values()
        judging = {role for one in roles if one.phase == "judge" for role in one.prompts}
        return [prompt for prompt in self.prompts(settings) if prompt.role in judging] if judging else ()

    def roles(self, settings: S, prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:  # noqa: ARG002 - a default
        """Who is asked in a run with these settings, the one on trial first; starts nothing.

        By default `model`, the one on trial, and `judge` where the settings name one.
        """
        from trialkit.settings import JudgeSettings  # noqa: PLC0415 - pydantic: not for those who only look at a run

        roles = {"model": Role(spec=subject_spec(settings))}
        if isinstance(settings, JudgeSettings):
            roles["judge"] = Role(spec=judge_spec(settings), phase="judge", prompts=("judge",), hint=OTHER_JUDGE)
        return roles

    def judges(self, settings: S, prompts: Mapping[str, Prompt]) -> Sequence[JudgeInUse]:
        """The first decides; none: nobody judges. By default one: the model that the settings name, or rules."""
        from trialkit.settings import JudgeSettings  # noqa: PLC0415 - as above

        if not isinstance(settings, JudgeSettings):
            return (JudgeInUse(name="rules", kind="rules"),)
        prompt = prompts.get("judge")
        name = f"llm:{settings.judge_model}" + (f"@{prompt.version}" if prompt else "")
        return (judge_in_use(name, "model", settings.judge_model, prompt),)

    def explain(self, settings: S, case: Case) -> Mapping[str, str]:  # noqa: ARG002 - a default
        """By judge, what it would do with an answer to this case: `passes if …`."""
        return {}

    def runner(self, settings: S, prompts: Mapping[str, Prompt]) -> Runner:  # noqa: ARG002 - a default
        """The same for a new run and for one that goes on: prompts come from the run file then."""
        return _Own(self)

    def identity(self, case: Case) -> str:
        """A hash of what is asked and of what is true: cases that differ in it are not the same case."""
        return hash_of(case.data)

    def rejudge_settings(self, recorded: Mapping[str, object], changes: Mapping[str, object]) -> dict[str, object]:
        """A run's settings for judging its answers again: nobody is put on trial then.

        Without what a suite asks for again in every session, such as hidden headers: they are the subject's.
        """
        from trialkit.settings import PerSession, RunSettings, marked  # noqa: PLC0415 - as above

        own = marked(self.settings, PerSession).keys() - RunSettings.model_fields.keys()
        return {name: value for name, value in {**recorded, **changes}.items() if name not in own or name in changes}

    def usual(self, settings: S) -> Mapping[str, Usual]:  # noqa: ARG002 - a default
        """What each role usually takes, by which a run is planned until past runs tell."""
        return {}

    def variants(self, case: Case, output: Mapping[str, Any]) -> Sequence[Variant]:  # noqa: ARG002 - a default
        """An answer said otherwise, to put its judge on trial. By default its longest text is."""
        place = longest_text(output)
        return text_variants(output, place) if place else ()

    def label_row(self, case: Case, trial: RecordedTrial) -> Mapping[str, str]:
        """What a label sheet shows of an answered trial; a column Model Response is held against the run later."""
        return {
            "Description": case.title,
            "Case": json.dumps(case.data, ensure_ascii=False, indent=1),
            "Model Response": json.dumps(trial.output, ensure_ascii=False),
        }

    def row_case(self, row: Mapping[str, str]) -> Case | None:  # noqa: ARG002 - a default
        """The case that a row of a results CSV is about, where it is one of this suite's and tells all of it."""
        return None

    def facts(self, trial: RecordedTrial) -> Mapping[str, object]:  # noqa: ARG002 - a default
        """What is particular to a trial of this suite: columns of the console table, and JSON data."""
        return {}

    def details(self, run: RunFile) -> Details:  # noqa: ARG002 - a default
        """The suite's own figures."""
        return Details()

    def told_calls(self, run: RunFile) -> Mapping[str, Mapping[int, int | None]]:  # noqa: ARG002 - overridden by suites with agents
        """Of a role that is no model, by trial id: the model calls that it tells; None: it tells none."""
        return {}

    def failure(self, trial: RecordedTrial) -> str:  # noqa: ARG002 - a default
        """Of one that failed, what kind of failure, in a word that trials share; its answer may be left out."""
        return ""

    def scenario(self, case: Case) -> str:
        """All that a simulated user was told of who it is and what it wants. By default whatever the case says."""
        from trialkit.text.plain import texts_in  # noqa: PLC0415 - few suites need it

        return "\n".join(texts_in(case.data))

    def exhibits(self, settings: S, case: Case, trial: RecordedTrial) -> Sequence[Passage | Table]:  # noqa: ARG002
        """What else is to be seen beside a trial: what its parties were told, what it did and what it should have."""
        return ()

    def formats(self) -> Mapping[str, Format]:
        """Its own formats of the report, by name. Of those that stand `beside` the run file a replay gives the same."""
        return {}

    def sources(self) -> Sequence[Source]:
        """Content that trialkit does not bring, for `trialkit data`."""
        return ()

    def check(self, data_dir: Path | None) -> CheckedContent:  # noqa: ARG002 - a default
        """What is off in that content; InputError where it is not there."""
        raise InputError(f"{self.name} has no content to check")

    def importers(self) -> Sequence[Importer]:
        """Of results that other programs wrote, for `trialkit import`; several suites may share one."""
        return ()

    def starter(self) -> Starter | None:
        """For `trialkit init`."""
        return None

    def generate(self, number: int, seed: int) -> str:  # noqa: ARG002 - a default
        """A file with so many cases whose truth is known from how they were made; the same for the same seed."""
        raise InputError(f"{self.name} generates no cases")

    def probes(self, case: Case, among: Sequence[Case]) -> Sequence[Probe]:  # noqa: ARG002 - a default
        """As the runner's; a suite with a runner of its own gives them there."""
        return ()

    def reviews(self) -> Sequence[Review]:
        """Questions about trials that ended, such as whose fault a failure was."""
        return ()


class _Own(Runner):
    """The suite's own `attempt` and `judge`."""

    def __init__(self, suite: Suite[Any]) -> None:
        self._suite = suite

    async def attempt(self, trial: Trial) -> Mapping[str, Any]:
        return await self._suite.attempt(trial)

    async def judge(self, trial: Trial, output: Mapping[str, Any]) -> Verdict | Sequence[Verdict]:
        return await self._suite.judge(trial, output)

    async def probes(self, case: Case, among: Sequence[Case]) -> Sequence[Probe]:
        return self._suite.probes(case, among)
