"""Answers to the cases of a file that need no model: none at all, always the same, and what the truth comes to."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Literal

from trialkit.judges.kinds import NamedCall, NamedJudge, Solution
from trialkit.suites.probes import Probe
from trialkit.text.json import dump
from trialkit.text.short import shown
from trialkit.text.template import CaseCells, written

from .surroundings import EnvironmentClass

#: So many answers that are always the same are tried: the most frequent values of what the first judge reads.
_CONSTANTS = 5
_LONGEST = 200
_GOODBYE = "Goodbye."


async def probes_of(
    row: CaseCells,
    rows: Sequence[CaseCells],
    judges: Sequence[NamedJudge],
    worlds: EnvironmentClass | None,
    truth: Callable[[CaseCells], Solution | None],
) -> list[Probe]:
    if worlds is None:
        empty = Probe(name="an empty answer is given", output=_answer(""), right="fail")
        constants = ((name, _answer(name)) for name in _constants(rows, judges[0]))
        return [
            empty,
            *(Probe(name=f"the answer is always {shown(name)}", output=one, right="any") for name, one in constants),
        ]
    played = _Played(worlds, row)
    nothing = Probe(name="nothing is done", output=await played.answer([], _GOODBYE), right="fail")
    found = truth(row)
    if found is None:
        return [nothing]
    others = [call for other in rows if other != row and (known := truth(other)) for call in known.calls]
    return [nothing, *[one async for one in _around(played, found, others)]]


async def _around(played: "_Played", truth: Solution, others: Sequence[NamedCall]) -> AsyncIterator[Probe]:
    says, calls = " ".join(["That is done.", *truth.says]), list(truth.calls)
    right = await played.answer(calls, says)
    yield Probe(name="the ground truth is done", output=right, right="pass")
    for place, call in enumerate(calls):
        if await played.state(calls[:place]) != await played.state(calls[: place + 1]):
            left = await played.answer([*calls[:place], *calls[place + 1 :]], says)
            yield _probe("one write of the ground truth is left out", left, call)
    for call in others:
        more = await played.answer([*calls, call], says)
        if more["state"] != right["state"]:
            yield _probe("an unrelated write is added to the ground truth", more, call)
            return


def _probe(name: str, output: Mapping[str, Any], call: NamedCall, right: Literal["fail"] = "fail") -> Probe:
    return Probe(name=name, output=output, right=right, what=f"{call[0]}({shown(call[1])})")


class _Played:
    """Calls, made in environments of their own."""

    def __init__(self, worlds: EnvironmentClass, row: CaseCells) -> None:
        self._worlds = worlds
        self._row = row

    async def state(self, calls: Sequence[NamedCall]) -> Any:
        return (await self.answer(calls, ""))["state"]

    async def answer(self, calls: Sequence[NamedCall], says: str) -> dict[str, Any]:
        """As a trial leaves it; the user's own calls are none of the agent's."""
        world = self._worlds.open(self._row)
        tools = {one.tool.name: one for one in world.tools}
        made = []
        for name, arguments in calls:
            told = await tools[name].call(arguments, self._row) if name in tools else f"Error: there is no tool {name}"
            if name not in self._worlds.for_user:
                made.append(
                    {"name": name, "arguments": dict(arguments), "result": told, "error": told.startswith("Error:")}
                )
        return {**_answer(says), "calls": made, "state": world.state(), "end": "user_stop"}


def _answer(text: str) -> dict[str, Any]:
    said = [{"role": "assistant", "content": text}] if text else []
    return {"text": text, "calls": [], "messages": said, "seconds": 0.0, "cost": 0.0}


def _constants(rows: Sequence[CaseCells], judge: NamedJudge) -> list[str]:
    """What it takes for right most often; of a judge that tells classes apart, each of them."""
    columns = judge.kind.columns(judge.settings)
    values = [row[column] for column in sorted(columns) for row in rows if column in row]
    texts = Counter(value if isinstance(value, str) else dump(value) for value in values if written(value).strip())
    frequent = [text for text, count in texts.most_common(_CONSTANTS) if count > 1 and len(text) <= _LONGEST]
    return list(dict.fromkeys([*judge.classes, *frequent]))
