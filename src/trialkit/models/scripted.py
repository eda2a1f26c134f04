"""Models that answer without a network, for tests: from a function, or from a file."""

from collections.abc import Callable
from typing import ClassVar, Self

from trialkit.text.whole import whole_text

from .connection import Identity
from .types import Reply, Request

SCRIPTED = "scripted:"


class ScriptedModel:
    """Answers with what a function says to each request: a `Reply`, or its text.

    Inside `with`, `scripted:NAME` means this model wherever a model is named. A `ModelError` that the function raises
    is taken as one of a server, tried again and all; anything else is a crash. `requests` is all that it was asked.
    """

    _named: ClassVar[dict[str, "ScriptedModel"]] = {}

    def __init__(self, answer: Callable[[Request], Reply | str], name: str = "function") -> None:
        self.name = f"{SCRIPTED}{name}"
        self.requests: list[Request] = []
        self._answer = answer

    def __enter__(self) -> Self:
        if self.name in self._named:
            raise ValueError(f"there is a model {self.name} already; give this one another name")
        self._named[self.name] = self
        return self

    def __exit__(self, *_: object) -> None:
        del self._named[self.name]

    async def send(self, request: Request) -> Reply:
        self.requests.append(request)
        said = self._answer(request)
        return said if isinstance(said, Reply) else Reply(text=whole_text(said), model=self.name)

    async def aclose(self) -> None:
        pass

    @classmethod
    def open(cls, name: str) -> "tuple[Identity, ScriptedModel]":
        """The model of that name; if there is none, the name is a file's."""
        model, key = cls._named.get(name), name
        if model is None:
            from .script import Script  # noqa: PLC0415 - pydantic takes longer to load than models may

            script = Script(name.removeprefix(SCRIPTED))
            model, key = cls(script), f"scripted {script.digest}"
        storable = name not in cls._named  # a function of the same name may say something else tomorrow
        return Identity(name=name, endpoint="scripted", key=key, price_known=False, storable=storable), model
