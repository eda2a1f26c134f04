"""`trialkit models [PATTERN]`."""

import click

from trialkit.analysis.models_page import models_data, models_page
from trialkit.models import find_models
from trialkit.pages import WRITERS, write_page
from trialkit.text.json import pretty

from .write import write


@click.command(epilog="Example: trialkit models 'anthropic/*sonnet*'")
@click.argument("pattern", metavar="[PATTERN]", default="")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="console", help="Default: console.")
def command(pattern: str, form: str) -> None:
    """List the models whose names hold PATTERN (or are of its form, with * and ?): price, context, their end.

    They are those of LiteLLM's list, as it came along; prices of your own (TRIALKIT_PRICES) are in it.
    """
    found = find_models(pattern)
    write(pretty(models_data(found)) if form == "json" else write_page(models_page(found), form), None)
