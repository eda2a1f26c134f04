"""What an SDK knows of its wire format: which requests there are, which replies, and what a reply means."""

import importlib
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from hypothesis import strategies as st
from pydantic import TypeAdapter
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from tests.packages import needs
from trialkit.models import StopReason
from trialkit.models.protocols import Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class Meaning:
    text: str
    calls: list[tuple[str, str, Any]]  # id, name, arguments: an object, or the text that is none
    stop: StopReason
    #: Input, output, and of the input what was read from the cache and written to it; None: it does not say.
    tokens: tuple[int, int, int, int] | None


class Oracle(ABC):
    protocol: ClassVar[Protocol]
    package: ClassVar[str]
    model: ClassVar[str] = "some-model"
    #: Whether what is not there is left out over the wire; else it is null.
    leaves_out_none: ClassVar[bool] = False
    typed_dict: ClassVar[Any] = TypedDict

    def types(self, module: str = "") -> Any:
        """A module of the SDK; skips the test where there is none."""
        needs(self.package.removesuffix(".types"), "uv sync --group sdks")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of their own
            return importlib.import_module(f"{self.package}{module}")

    @abstractmethod
    def request(self) -> Any:
        """The type of a request's body."""

    @abstractmethod
    def replies(self) -> st.SearchStrategy[Any]:
        """Objects of the SDK's type for a reply."""

    @abstractmethod
    def meaning(self, reply: Any) -> Meaning: ...

    def event(self) -> Any:
        """The type of an event of a reply that comes in pieces; none: there are no such."""
        return None

    def json(self, reply: Any) -> Any:
        """The reply as it comes over the wire."""
        return reply.model_dump(mode="json", by_alias=True, exclude_none=self.leaves_out_none)

    @cached_property
    def body(self) -> SchemaValidator:
        """Takes what the SDK's type takes, and no key that it does not name."""
        return closed(self.request())


def closed(known: Any) -> SchemaValidator:
    return SchemaValidator(_closed(TypeAdapter(known).core_schema))


def _closed(schema: Any) -> Any:
    """The SDKs ignore keys that they do not know, and look into an `Iterable` only when it is used."""
    if isinstance(schema, list | tuple):
        return type(schema)(map(_closed, schema))
    if not isinstance(schema, dict):
        return schema
    found = {key: _closed(value) for key, value in schema.items()}
    if found.get("type") == "generator":
        found["type"] = "list"
    if found.get("type") == "typed-dict" and "extra_fields_behavior" not in found.get("config", {}):
        found["extra_behavior"] = "forbid"
    return found
