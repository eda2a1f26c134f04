"""`trialkit view [DIR|RUN]`."""

import secrets
from pathlib import Path
from threading import Thread

import click

from trialkit.runfile import check_run_file

from .places import one_run
from .project import output_dir
from .write import tell


@click.command(epilog="Example: trialkit view --no-open")
@click.argument("path", metavar="[DIR|RUN]", type=click.Path(path_type=Path), required=False)
@click.option("--no-open", is_flag=True, help="Print the address and open no browser.")
@click.option("--port", type=click.IntRange(min=0, max=65535), help="[default: the first that is free from 8765 on]")
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="Where to listen; one that others reach asks them for the token in the address. [default: 127.0.0.1]",
)
def command(path: Path | None, no_open: bool, port: int | None, host: str) -> None:
    """Show the runs of a folder in the browser, until it is interrupted: by default of the output folder."""
    from trialkit.web import Address, Following, Guard, Shelf, build, open_browser, serve  # noqa: PLC0415 - not for --help

    folder, start = _place(path or output_dir())
    address = Address.bound(host, port)
    guard = Guard(hosts=address.hosts(), token=None if address.local else secrets.token_urlsafe(24))
    url = address.url(start)
    if guard.token:
        url += ("&" if "?" in url else "?") + f"token={guard.token}"

    def ready() -> None:
        tell(f"runs of {folder} at {url} (ctrl-C ends it)")
        if not no_open:
            open_browser(url)

    shelf = Shelf(folder=folder)
    shelf.runs()  # read once before somebody waits for it
    Thread(target=shelf.warm, daemon=True).start()
    live = Following(shelf)
    serve(build(shelf, guard, live), address, ready=ready, closing=live.close)


def _place(path: Path) -> tuple[Path, str]:
    """The folder, and the page to begin with."""
    from trialkit.web import run_address  # noqa: PLC0415 - as above

    if path.is_dir():
        return path.absolute(), "/"
    run = Path(one_run(str(path)))
    check_run_file(run)
    return run.absolute().parent, run_address(run.name)
