"""`trialkit bridge RUN --user-model NEW`."""

from functools import partial
from pathlib import Path

import click

from trialkit.analysis.bridge_page import bridge_page
from trialkit.analysis.compare import compare_runs
from trialkit.analysis.loaded import load_to_compare
from trialkit.engine import UserBridge
from trialkit.pages import write_page
from trialkit.settings import OfUser, PerSession

from .finish import session
from .groups import Sectioned
from .options import changes_of, session_options
from .places import RUN
from .write import tell


@click.command(
    cls=Sectioned,
    epilog="Example: trialkit bridge latest --user-model openai/gpt-5.2",
    params=[
        click.Argument(["path"], metavar="RUN", type=RUN),
        *session_options(),
        click.Argument(["rest"], nargs=-1, type=click.UNPROCESSED, metavar="--user-model MODEL"),
    ],
    context_settings={"ignore_unknown_options": True},
)
@click.pass_context
def command(ctx: click.Context, /, path: str, **_: object) -> None:
    """Run the same cases and the same subject before another user, and tell the offset between the users.

    The other user is said by the suite's own options: --user-model MODEL, --user-api-base URL …; how it is played and
    its prompt stay as they were.
    """
    before = Path(path)
    bridge = UserBridge(before)
    changes = changes_of(ctx, before, OfUser, PerSession)
    ctx.exit(session(partial(bridge.run, changes), then=partial(_tell_offset, before)))


def _tell_offset(before: Path, after: Path) -> None:
    one = compare_runs(load_to_compare(before), load_to_compare(after))
    tell(write_page(bridge_page(one), "console"))
