"""The viewer's application: which address shows what."""

import json
from collections.abc import Callable, Mapping
from mimetypes import types_map

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from trialkit.errors import TrialkitError

from .align import align_view
from .asked import PageRequest
from .calls import call_view, request_action
from .compare import compare_view, pair_view
from .guard import Guard
from .label import figures_view, label_view, results_view
from .label_actions import draw_action, label_action, mark_action
from .live import Following
from .prompts import prompts_view
from .render import STATIC, page, static
from .run import further_view, run_view
from .run_actions import resume_action, stop_action
from .runs import runs_view
from .shelf import Shelf
from .trial import trial_view

PageMaker = Callable[[PageRequest], Response]

#: Each is made in a thread, since it reads files. What is missing or wrong raises `TrialkitError`.
PAGES: Mapping[str, PageMaker] = {
    "/": runs_view,
    "/run": run_view,
    "/further": further_view,
    "/trial": trial_view,
    "/call": call_view,
    "/compare": compare_view,
    "/pair": pair_view,
    "/align": align_view,
    "/prompts": prompts_view,
    "/label": label_view,
    "/label/figures": figures_view,
    "/label/results": results_view,
}
#: What changes something: asked for by our own scripts, with a JSON object of texts.
ACTIONS: Mapping[str, PageMaker] = {
    "/label": label_action,
    "/label/draw": draw_action,
    "/label/mark": mark_action,
    "/request": request_action,
    "/resume": resume_action,
    "/stop": stop_action,
}
_LONGEST_FORM = 1_000_000


def build(shelf: Shelf, guard: Guard, live: Following) -> ASGIApp:
    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC:
            raise HTTPException(404)
        return Response(static(name), media_type=types_map[name[name.rindex(".") :]])

    def fault(request: Request, error: Exception) -> Response:
        told = "There is no such page." if isinstance(error, HTTPException) else str(error)
        if request.method == "POST":
            return PlainTextResponse(told, 400)
        return page("fault.html", guard.csrf, {"fault": told}, 404)

    routes = [Route("/static/{name}", asset), Route("/live", live)]
    routes += (Route(path, _endpoint(make, shelf, guard)) for path, make in PAGES.items())
    routes += (Route(path, _endpoint(make, shelf, guard), methods=["POST"]) for path, make in ACTIONS.items())
    return guard.protect(Starlette(routes=routes, exception_handlers={TrialkitError: fault, 404: fault, 405: fault}))


def _endpoint(make: PageMaker, shelf: Shelf, guard: Guard) -> Callable[[Request], object]:
    async def answer(request: Request) -> Response:
        form = await _form(request) if request.method == "POST" else {}
        asked = PageRequest(shelf=shelf, guard=guard, query=request.query_params, form=form, cookies=request.cookies)
        return await run_in_threadpool(make, asked)

    return answer


async def _form(request: Request) -> Mapping[str, str]:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LONGEST_FORM:
            raise TrialkitError(f"more than {_LONGEST_FORM:,} bytes: nothing here is that long")
    try:
        found = json.loads(body)
    except ValueError:
        raise TrialkitError("what was sent is not JSON") from None
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise TrialkitError("what was sent is no JSON object of texts")
    return found
