"""What noise alone does: trials of the same settings, dealt at random into an A and a B that cannot differ."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from statistics import median, quantiles

from trialkit.errors import InputError
from trialkit.pages import Facts, Note, Page, Rate, Table
from trialkit.stats import Difference, Figure, pass_rate, score_difference
from trialkit.text.json import pretty
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .differences import setup_differences
from .loaded import LoadedRun
from .words import amount

FORMAT = "trialkit-aa/1"
#: So many that a share of 5% is known to 2 points; four trials of 115 cases take 4 s of CPU.
DEALS = 400
_NUMBERS = ("cases", "left_out", "trials", "deals", "typical", "usual", "largest")


@dataclass(frozen=True, kw_only=True, slots=True)
class Noise:
    """Its fields are called as in `compare --aa --format json`."""

    runs: tuple[LoadedRun, ...]
    measure: Measure
    cases: int
    left_out: int  # cases with fewer than two trials that have a verdict
    trials: int  # the most that a case has on either side
    deals: int
    typical: float  # the median size of the difference …
    usual: float  # … the one that 95% of the deals keep below …
    largest: float  # … and the largest that was seen
    significant: Figure  # the share of deals with p < 0.05; its interval tells of the deals only


def noise_of(runs: Sequence[LoadedRun]) -> Noise:
    """Of one run with several trials of each case, or of several runs of the same settings."""
    differs = [what for what, _ in setup_differences(runs)]
    if differs:
        told = ", ".join(differs)
        raise InputError(f"--aa takes runs of the same settings, and these differ in {told}; leave it out to compare")
    measure, cases = runs[0].measure, runs[0].cases
    values = [[value for run in runs if name in run.cases for value in run.cases[name].values] for name in cases]
    dealt = [of_case for of_case in values if len(of_case) > 1]
    if not dealt:
        raise InputError(f"{runs[0].path}: no case has two trials with a verdict; run --trials 2, or name a second run")
    random = Random(0)  # noqa: S311 - not a secret
    found = [_deal(dealt, measure, random) for _ in range(DEALS)]
    sizes = [abs(one.value or 0.0) for one in found]
    return Noise(
        runs=tuple(runs),
        measure=measure,
        cases=len(dealt),
        left_out=len(values) - len(dealt),
        trials=max(map(len, dealt)) // 2,
        deals=len(found),
        typical=median(sizes),
        usual=quantiles(sizes, n=20)[-1],
        largest=max(sizes),
        significant=pass_rate([[one.significant] for one in found]),
    )


def _deal(cases: Sequence[Sequence[float]], measure: Measure, random: Random) -> Difference:
    """Each case's trials to both sides, as many to one as to the other."""
    pairs = []
    for values in cases:
        half, drawn = len(values) // 2, random.sample(values, len(values))
        pairs.append((drawn[:half], drawn[half : 2 * half]))
    return score_difference(pairs, measure.low, measure.high)


def noise_page(noise: Noise) -> Page:
    size = f"{counted(noise.cases, 'case')}, up to {counted(noise.trials, 'trial')} on either side"
    size += f"; {noise.left_out} with fewer than two trials left out" if noise.left_out else ""
    facts = (*(("run", f"{run.called} · {run.path.name}") for run in noise.runs), ("dealt", size))
    rows = (
        ("half of the differences are below", amount(noise.typical, noise.measure)),
        ("95% are below", amount(noise.usual, noise.measure)),
        ("the largest", amount(noise.largest, noise.measure)),
        ("p < 0.05", Rate(noise.significant)),
    )
    table = Table(
        title=f"What noise alone did in {noise.deals:,} deals",
        columns=("A against A", "Difference"),
        rows=rows,
        note="The interval of the last tells of the number of deals only",
    )
    parts = (Note(text=noise_in_words(noise), strong=True), Facts(rows=facts), table)
    return Page(title=f"{noise.runs[0].suite}: a run against itself", parts=parts)


def noise_in_words(noise: Noise) -> str:
    if not noise.largest:
        return "All trials of a case are alike, so there is no noise: the same agent never differs from itself here."
    usual, largest = amount(noise.usual, noise.measure), amount(noise.largest, noise.measure)
    said = (
        f"Dealt at random into two halves, the same agent differs from itself by less than {usual} in 95% of the deals"
        f" and by {largest} at most: that is noise. Of two runs as large as all of this it makes 0.7 times as much, on"
        " these cases; other cases would add their own."
    )
    share = noise.significant
    if share.low is not None and share.low > 0.05:
        return f"{said} The test calls {Rate(share)} of them significant, which is more than 5%: trust its p less."
    return f"{said} The test calls {Rate(share)} of them significant, where about 5% are to be expected."


def noise_json(noise: Noise) -> str:
    data = {
        "format": FORMAT,
        "runs": [str(run.path) for run in noise.runs],
        "measure": asdict(noise.measure),
        **{name: getattr(noise, name) for name in _NUMBERS},
        "significant": noise.significant.to_data(),
        "summary": noise_in_words(noise),
    }
    return pretty(data)
