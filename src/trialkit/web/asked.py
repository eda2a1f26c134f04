"""What a page is made from."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import QueryParams
from starlette.responses import Response

from .guard import Guard
from .render import page
from .shelf import Shelf


@dataclass(frozen=True, kw_only=True, slots=True)
class PageRequest:
    """Somebody asks for a page, or, with `form`, for something to be done."""

    shelf: Shelf
    guard: Guard
    query: QueryParams
    form: Mapping[str, str]
    cookies: Mapping[str, str]

    def value(self, name: str) -> str:
        """From the address, or from what was sent; empty: it is in neither."""
        return self.form.get(name) or self.query.get(name, "")

    def shown(self, template: str, **values: object) -> Response:
        return page(template, self.guard.csrf, {**values, "query": self.query})
