"""`trialkit config [SUITE]`."""

import os

import click
from pydantic import BaseModel

from trialkit.models import is_secret_name, showable
from trialkit.pages import WRITERS, Code, Facts, Name, Page, Prose, Table, write_page
from trialkit.settings import JudgeSettings, origin_of
from trialkit.suites import get_suite

from .defaults import with_defaults
from .environment import Variables, near, project_folder
from .options import shown_value
from .project import project_file
from .write import write

#: Of ours and of the providers' all are told that are set.
_OURS, _THEIRS = "TRIALKIT_", ("_API_KEY", "_BASE_URL")


@click.command(epilog="Example: trialkit config SUITE")
@click.argument("suite", metavar="[SUITE]", required=False)
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="console", help="Default: console.")
@click.pass_obj
def command(environment: Variables, suite: str | None, form: str) -> None:
    """Show which settings a run of SUITE (or any) would have, and who says so. Keys are never shown."""
    settings = with_defaults(get_suite(suite).settings if suite else JudgeSettings)
    page = Page(title="trialkit config", parts=(_places(), _settings(settings), _variables(environment)))
    write(write_page(page, form), None)
    for fault in environment.faults:
        click.echo(fault, err=True)


def _places() -> Facts:
    file = project_file()
    named = Code(str(near(file))) if file else "none: trialkit.toml, or [tool.trialkit] in pyproject.toml"
    return Facts(rows=(("project", Code(str(project_folder()))), ("defaults", named)))


def _settings(settings: type[BaseModel]) -> Table:
    rows = tuple(
        (Name(name.replace("_", "-"), most=40), Prose(_value(settings, name)), _by(origin_of(settings, name)))
        for name in settings.model_fields
    )
    return Table(title="Settings", columns=("Setting", "Value", "By"), rows=rows)


def _value(settings: type[BaseModel], name: str) -> str:
    field = settings.model_fields[name]
    if field.is_required():
        return "to be given"
    return "—" if field.default in (None, ()) else shown_value(settings, name, field.default)


def _by(origin: str) -> Name:
    return Name(origin, "strong", most=40) if origin else Name("default", "dim")


def _variables(environment: Variables) -> Table:
    wanted = (name for name in os.environ if name.startswith(_OURS) or name.endswith(_THEIRS))
    rows = tuple(
        (Name(name, most=40), Prose(_shown(name)), Name(environment.origins.get(name, "environment"), most=40))
        for name in sorted({*wanted, *environment.origins})
    )
    return Table(title="Variables", columns=("Variable", "Value", "By"), rows=rows)


def _shown(name: str) -> str:
    """What may be a secret is only told to be there."""
    value = os.environ[name]
    if name.startswith(_OURS) and not is_secret_name(name):
        return showable(value)
    return "set" if value else "empty"
