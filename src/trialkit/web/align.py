"""The judges of a run held against people."""

from starlette.responses import Response

from trialkit.analysis.align import align_run
from trialkit.analysis.align_pages import alignment_page
from trialkit.analysis.loaded import load_run

from .asked import PageRequest
from .render import address


def align_view(asked: PageRequest) -> Response:
    name = asked.query.get("run", "")
    found = align_run(load_run(asked.shelf.path(name)))
    page = alignment_page(found, lambda case, trial: address("/trial", run=name, case=case, trial=trial))
    return asked.shown("align.html", name=name, called=found.run.called, document=page, labelled=found.labelled)
