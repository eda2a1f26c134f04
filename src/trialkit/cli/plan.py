"""`trialkit plan SUITE`: the options of `trialkit run SUITE`, and what the run would take."""

from pathlib import Path

import click

from trialkit.analysis.compare import letter
from trialkit.analysis.plan import plan_run
from trialkit.analysis.plan_pages import plan_json, plan_page
from trialkit.analysis.plans_page import plans_json, plans_page
from trialkit.engine import combinations
from trialkit.pages import WRITERS, write_page
from trialkit.suites import Suite

from .defaults import with_defaults
from .options import build, given, options_for
from .suite_commands import SuiteCommand, Suites
from .write import write


def _suite_command(suite: Suite) -> click.Command:
    own_settings = with_defaults(suite.settings)

    @click.pass_context
    def plan_suite(ctx: click.Context, /, detect: float | None, past: str | None, form: str, **_: object) -> None:
        several = [build(own_settings, one) for one in combinations(suite, own_settings, given(ctx, own_settings))]
        plans = [plan_run(suite, one, Path(past) if past else one.output_dir, detect) for one in several]
        for ending in dict.fromkeys(line for plan in plans for line in plan.endings):
            click.echo(ending, err=True)
        if len(plans) == 1:
            write(plan_json(plans[0]) if form == "json" else write_page(plan_page(plans[0]), form), None)
            return
        called = [one.name or plan.subject for one, plan in zip(several, plans, strict=True)]
        named = {letter(place): (called[place], plan) for place, plan in enumerate(plans)}
        write(plans_json(named) if form == "json" else write_page(plans_page(named), form), None)

    own = [
        click.Option(
            ["--detect"],
            type=click.FloatRange(min=0, min_open=True),
            help="How many trials detect this difference between two pass rates, e.g. 0.05, or mean scores.",
        ),
        click.Option(["--past"], metavar="DIR", help="Where past runs are [default: --output-dir]."),
        click.Option(["--format", "form"], type=click.Choice(list(WRITERS)), default="console"),
    ]
    params = [*own, *options_for(own_settings, several=True)]
    return SuiteCommand(
        suite.name,
        callback=plan_suite,
        params=params,
        help=f"Plan a run. {suite.summary}",
        epilog=f"Example: trialkit plan {suite.name} --trials 3 --detect 0.1",
    )


command = Suites(
    "plan",
    _suite_command,
    "What a run would take (calls, tokens, cost, time), and the smallest difference that it could show.",
)
