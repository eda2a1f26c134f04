"""The figures of a run as names and values."""

import re
from collections.abc import Iterator
from math import isclose

from trialkit.models import price_of
from trialkit.pages import Cell, Code, Count, Line, Money, Rate, Seconds, measured
from trialkit.runfile import ReplyNotes
from trialkit.text.shown import counted

from .summary import Mean, RoleSummary, Summary

Fact = tuple[str, Cell | str]

#: pass^1 to this one are shown, as the leaderboards do, and the last.
_MOST_PASS_HAT = 4
#: As models are named in roles: provider, and the provider's name of it.
#: What to look at where a model writes calls as text.
_PARSER = (
    "the server's tool parser or chat template may be at fault (vLLM --enable-auto-tool-choice, llama.cpp --jinja); "
    "--tools-as text reads such calls"
)
_MODEL = re.compile(r"([\w.-]+)/(.+)")


def result(summary: Summary) -> Iterator[Fact]:
    """The headline, and what is wrong with it."""
    headline = summary.headline
    yield headline.measure.mean_name, _headline(summary)
    if headline.bounds is not None and headline.figure.n:
        yield "  with errors", _bounds(headline)
    yield from _not_in_it(summary)
    if headline.figure.n and len(headline.groups) > 1:
        yield from ((f"  {group}", measured(figure, headline.measure)) for group, figure in headline.groups.items())


def figures(summary: Summary) -> Iterator[Fact]:
    """All others."""
    yield from _pass_hat_k(summary)
    yield from ((mean.measure.mean_name, measured(mean.figure, mean.measure)) for mean in summary.means[1:])
    yield from _left_over(summary)
    if summary.agreement is not None:
        yield "judges agree", Rate(summary.agreement)
    yield from ((role.role, _role(role)) for role in summary.roles)
    if summary.roles:
        yield "cost", _cost(summary)
    each = summary.seconds_per_trial
    a_trial = (" · ", Seconds(each.value), " a trial") if each.n else ()
    if summary.info.wall_s or each.n:  # of what others ran nobody knows it
        yield "time", Line((Seconds(summary.info.wall_s), *a_trial))


def _headline(summary: Summary) -> Cell | str:
    mean = summary.headline
    if not mean.figure.n:
        return "— (no verdicts)"
    if mean.measure.kind == "pass":
        passed, n = summary.counts.passed, mean.figure.n
        if isclose(passed / n, mean.figure.value or 0.0):
            return Line((f"{passed}/{n} = ", Rate(mean.figure)), style="strong")
        each = f" ({passed} of {n} trials passed; each case counts the same)"
        return Line((Rate(mean.figure), each), style="strong")
    return Line((measured(mean.figure, mean.measure), f" over {counted(mean.figure.n, 'trial')}"), style="strong")


def _bounds(mean: Mean) -> Cell | str:
    """What all of them would make of it, were they the worst or the best that there is."""
    bounds = mean.bounds or mean.figure
    if bounds.low is None or bounds.high is None:
        return f"could be anything: {mean.measure.name} has no end on one side"
    worst, best = measured(bounds.low, mean.measure), measured(bounds.high, mean.measure)
    return Line(("between ", worst, " and ", best, ", whatever they hide"))


def _pass_hat_k(summary: Summary) -> Iterator[Fact]:
    """Only where there are several trials of a case: pass^1 alone says what the pass rate says."""
    wanted = max((len(one.trials) for one in summary.cases), default=0)
    figures = summary.pass_hat_k
    if wanted < 2 or not figures:
        return
    of = f" over {figures[0].n} of {len(summary.cases)} cases" if figures[0].n < len(summary.cases) else ""
    shown = {*range(1, _MOST_PASS_HAT + 1), len(figures)}
    if summary.headline.measure.kind == "pass" and not of:
        shown.discard(1)  # it is the pass rate
    for k, figure in enumerate(figures, start=1):
        if k in shown:
            yield f"pass^{k}", Line((Rate(figure), of))
    if len(figures) < wanted:
        above = f"pass^{len(figures) + 1}" + (f"..{wanted}" if len(figures) + 1 < wanted else "")
        yield above, f"— (a case has only {counted(len(figures), 'verdict')} so far)"


def _not_in_it(summary: Summary) -> Iterator[Fact]:
    parts = (
        ("  errors", summary.counts.errors, "no verdict could be had; not counted in any average"),
        ("  not judged", summary.counts.unjudged, "answers only"),
        ("  not run", summary.counts.open, summary.info.reason or "the run is going on, or was killed"),
    )
    yield from ((name, Line((Count(number), f" ({why})"), style="doubtful")) for name, number, why in parts if number)


def _left_over(summary: Summary) -> Iterator[Fact]:
    parts = (
        ("kept", summary.kept, "answers that were there before the run"),
        ("failed calls", summary.failed_calls, "model calls that gave no reply"),
        ("retries", summary.retries, "requests that were sent again"),
    )
    yield from ((name, Line((Count(number), f" ({why})"))) for name, number, why in parts if number)
    for role, notes in summary.notes.items():
        yield from _of_replies(role, notes)


def _of_replies(role: str, notes: ReplyNotes) -> Iterator[Fact]:
    if notes.left_out:
        yield "left out", f"{notes.left_out} (the model of the {role} does not take it)"
    if notes.cut_off:
        why = f"replies of the {role} that reached the longest that it may write; --max-tokens allows more"
        yield "cut off", Line((Count(notes.cut_off), f" ({why})"), style="doubtful")
    if notes.calls_as_text:
        say = "replies hold" if notes.calls_as_text > 1 else "reply holds"
        yield (
            "calls as text",
            Line((Count(notes.calls_as_text), f" {say} a tool call as text ({role}); {_PARSER}"), style="doubtful"),
        )
    if notes.reasoning_tokens:
        yield "thoughts", Line((Count(notes.reasoning_tokens), f" of the {role}'s tokens out"))
    if notes.told_costs:
        yield (
            "cost told",
            Line((Count(notes.told_costs), f" replies of the {role}: by its gateway, not by a price list")),
        )


def _role(role: RoleSummary) -> Line:
    stored = f" ({role.stored:,} stored)" if role.stored else ""
    tokens = (Count(role.input_tokens), " tokens in, ", Count(role.output_tokens), " out · ")
    asked = counted(role.turns or 0, "turn") if role.calls is None else counted(role.calls, "call")
    return Line((f"{asked}{stored} · ", *tokens, Money(role.cost), " · ", Code(role.model)))


def _cost(summary: Summary) -> Cell | str:
    if summary.cost.value is None:
        why = f" ({_why_unknown(summary)})"
        return Line(("unknown, at least ", Money(summary.spent), why)) if summary.spent else f"unknown{why}"
    paid: tuple[Cell | str, ...] = ()
    if summary.paid.value != summary.cost.value:
        paid = (" · paid ", Money(summary.paid), ", the rest came from stored replies")
    return Line((Money(summary.cost), " · ", Money(summary.cost_per_trial), " a trial", *paid))


def _why_unknown(summary: Summary) -> str:
    names = {name for role in summary.roles if role.cost is None for name in role.model.split(", ")}
    models = {name: _MODEL.fullmatch(name) for name in names}  # services and programs are on no list
    unpriced = sorted(name for name, found in models.items() if found and price_of(found[1], found[2]) is None)
    if unpriced:
        return f"no list has the price of {', '.join(unpriced)}; name a file with it in TRIALKIT_PRICES before a run"
    return "the usage of a call is not known, or it timed out"


def made_with(summary: Summary, file: str) -> Iterator[Fact]:
    """What a page that leaves home must tell: where the run file lies, and whose models and prompts were on trial."""
    info = summary.info
    yield "run file", Code(file)
    yield "begun", f"{info.created[:16].replace('T', ' ')} UTC"
    yield from ((_of("model", model.role), Code(model.name)) for model in summary.models)
    for prompt in summary.prompts:  # one without a version of its own is called by its hash
        version = "" if prompt.hash.startswith(prompt.version) else f"{prompt.version} "
        yield _of("prompt", prompt.role), Line((version, Code(prompt.hash[:12])))


def _of(what: str, role: str) -> str:
    return what if role == what else f"{what} of the {role}"
