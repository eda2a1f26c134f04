"""The JSON report's schema: what docs/json-report.md promises, and nothing else may be in it."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class FigureData(Strict):
    value: float | int | None
    low: float | int | None
    high: float | int | None
    n: int


def _in_order(figure: FigureData) -> FigureData:
    if figure.value is not None and figure.low is not None and figure.high is not None:
        assert figure.low <= figure.value <= figure.high
    return figure


Figure = Annotated[FigureData, AfterValidator(_in_order)]


class Origin(Strict):
    run: str
    created: str
    number: int
    step: int
    replies: int


class UserFault(Strict):
    kind: str
    weak: bool
    step: int | None
    why: str
    quote: str


class UserFaultShares(Strict):
    weak: bool
    trials: Figure
    failures: Figure


class SimulatedUser(Strict):
    failures_at_fault: Figure | None
    headline: Figure
    headline_without: Figure
    faults: dict[str, UserFaultShares]


class Role(Strict):
    model: str
    calls: Figure
    stored: Figure
    input_tokens: Figure
    output_tokens: Figure
    cost_usd: Figure


class Trials(Strict):
    total: Figure
    passed: Figure
    failed: Figure
    scored: Figure
    errors: Figure
    unjudged: Figure
    open: Figure


class Measure(Strict):
    name: str
    kind: Literal["pass", "score"]
    low: float | None
    high: float | None
    higher_is_better: bool
    unit: str


class Mean(Strict):
    mean: Figure
    by_group: dict[str, Figure]


class Variance(Strict):
    deviation: Figure
    alike: Figure
    judge: Figure
    rest: Figure


class Steady(Strict):
    cases: list[str]
    share_of_trials: Figure
    cost_usd: Figure
    share_of_cost: Figure


class PassHats(Strict):
    pass_hat_k: list[Figure]


class Floor(Strict):
    cases: list[str]
    passes_for_nothing: PassHats
    others: PassHats


class Metrics(Strict):
    measure: Measure
    headline: Figure
    bounds: Figure | None
    measures: dict[str, Mean]
    pass_rate: Figure | None
    pass_hat_k: list[Figure]
    average_reward: Figure | None
    pass_rate_by_group: dict[str, Figure]
    judges_agree: Figure | None
    trials: Trials
    cost_usd: Figure
    paid_usd: Figure
    cost_per_trial_usd: Figure
    seconds_per_trial: Figure
    wall_s: Figure
    failed_calls: Figure
    retries: Figure
    stored_trials: Figure
    left_out: dict[str, str]
    roles: dict[str, Role]
    variance: Variance | None
    simulated_user: SimulatedUser | None = None
    steady: dict[Literal["sometimes", "always_pass", "always_fail"], Steady]
    floor: Floor | None = None


class PassAtTurn(Strict):
    exact: list[Figure]
    cumulative: list[Figure]


class RoleCost(Strict):
    total: Figure
    per_trial: Figure


class Counted(Strict):
    count: Figure
    share: Figure


class Faults(Strict):
    fault: dict[str, Counted]
    type: dict[str, Counted]


class TauMetrics(Metrics):
    overall_score: Figure
    overall_score_up_to_k: int
    pass_at_turn: PassAtTurn
    steps_per_trial: Figure
    turns_per_trial: Figure
    calls_per_trial: dict[str, Figure]
    cost_by_role_usd: dict[str, RoleCost]
    ends: dict[str, Counted]
    failure_classes: dict[str, Counted]
    faults: dict[str, Faults]


class Finding(Strict):
    check: str
    met: bool | None
    evidence: str


Outcome = Literal["pass", "fail", "scored", "error"]


class Verdict(Strict):
    judge: str
    outcome: Outcome
    critique: str
    findings: list[Finding]
    score: float | None
    scores: dict[str, float]
    details: dict[str, Any]


class Label(Strict):
    annotator: str
    outcome: Literal["pass", "fail", "scored", "unsure"]
    score: float | None
    critique: str
    settles: bool


class Mark(Strict):
    annotator: str
    kind: str
    critique: str
    step: int


class Remark(Strict):
    kind: str
    author: str
    data: dict[str, Any]


class Spending(Strict):
    role: str
    model: str
    source: Literal["live", "cache"]
    calls: int
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    latency_s: float


class Error(Strict):
    kind: str | None
    message: str


class Trial(Strict):
    trial: int
    outcome: Outcome | None
    facts: dict[str, Any]
    output: dict[str, Any] | None
    error: Error | None
    verdicts: list[Verdict]
    labels: list[Label]
    marks: list[Mark]
    remarks: list[Remark]
    origin: Origin | None = None  # None: it is whole
    user_faults: list[UserFault] | None = None  # None: nobody simulated a user
    spending: list[Spending]
    cost_usd: float | int | None
    elapsed_s: float | None
    transcript: list[dict[str, Any]]


class Case(Strict):
    id: str
    title: str
    group: str
    tags: list[str]
    data: dict[str, Any]
    trials: list[Trial]


class Model(Strict):
    name: str
    endpoint: str


class Prompt(Strict):
    version: str
    sha256: str
    text: str


class Judge(Strict):
    name: str
    kind: str
    model: str
    prompt: str
    prompt_hash: str


class Run(Strict):
    file: str
    suite: str
    subject: str
    created: str
    state: Literal["running", "done", "stopped"]
    reason: str
    settings: dict[str, Any]
    versions: dict[str, str]
    measures: list[Measure]
    judges: list[Judge]
    models: dict[str, Model]
    prompts: dict[str, Prompt]


class Table(Strict):
    table: str
    columns: list[str]
    rows: list[list[Any]]
    note: str


class Report(Strict):
    format: Literal["trialkit-report/1"]
    run: Run
    metrics: Metrics
    tables: list[Table]
    cases: list[Case]
    texts: dict[str, str] = {}


class TauReport(Report):
    metrics: TauMetrics
