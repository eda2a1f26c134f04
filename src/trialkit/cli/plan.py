"""`trialkit plan SUITE`: the options of `trialkit run SUITE`, and what the run would take."""

from pathlib import Path

import click

from trialkit.analysis.plan import plan_run
from trialkit.analysis.plan_pages import plan_json, plan_page
from trialkit.pages import WRITERS, write_page
from trialkit.suites import Suite

from .options import build, given, options_for
from .suite_commands import SuiteCommand, Suites
from .write import write


def _suite_command(suite: Suite) -> click.Command:
    @click.pass_context
    def plan_suite(ctx: click.Context, /, detect: float | None, past: str | None, form: str, **_: object) -> None:
        settings = build(suite.settings, given(ctx, suite.settings))
        plan = plan_run(suite, settings, Path(past) if past else settings.output_dir, detect)
        write(plan_json(plan) if form == "json" else write_page(plan_page(plan), form), None)

    own = [
        click.Option(
            ["--detect"],
            type=click.FloatRange(min=0, min_open=True),
            help="How many trials detect this difference between two pass rates, e.g. 0.05, or mean scores.",
        ),
        click.Option(["--past"], metavar="DIR", help="Where past runs are [default: --output-dir]."),
        click.Option(["--format", "form"], type=click.Choice(list(WRITERS)), default="console"),
    ]
    params = [*own, *options_for(suite.settings)]
    return SuiteCommand(suite.name, callback=plan_suite, params=params, help=f"Plan a run. {suite.summary}")


command = Suites(
    "plan",
    _suite_command,
    "What a run would take (calls, tokens, cost, time), and the smallest difference that it could show.",
)
