"""The writes of a failed conversation held against those of the ground truth: what is missing, wrong, or too much.

What counts is what the reward asks of the end: rows as the ground truth leaves them, or assertions that hold.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trialkit.dialogue import RESPOND, Action, Output
from trialkit.suites.tau.common.database import same
from trialkit.suites.tau.common.domain import Domain
from trialkit.suites.tau.common.score import RowDifference, Score
from trialkit.suites.tau.common.tasks import EnvAssertion, Task
from trialkit.text.json import JsonObject

Evidence = JsonObject
#: What of the end is not as it should be.
Wrong = tuple[RowDifference | EnvAssertion, ...]

#: Whom nearly every call is about: what it is about besides tells more.
_USER = "user_id"


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """One executed action; `place` is where it stands among the actions, from 0."""

    place: int
    action: Action
    observation: str
    wrote: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Pair:
    gold: Action
    done: Done


def played(domain: Domain, task: Task, actions: Sequence[Action]) -> list[Done]:
    """The actions in a session of their own, up to the one that ends the conversation."""
    environment = domain.open(task)
    found, before = [], environment.left()
    for place, action in enumerate(actions):
        observation, after = "", before
        if action["name"] != RESPOND:
            observation = environment.call(action["name"], action["kwargs"], action.get("by", "agent"))
            after = environment.left()
        found.append(Done(place=place, action=action, observation=observation, wrote=not same(before, after)))
        before = after
        if action["name"] in domain.ending_tools:
            break
    return found


def compare_writes(domain: Domain, task: Task, output: Output, score: Score) -> list[Evidence]:
    """Why the end is not as it should be. Nothing to say if it is."""
    wrong = _wrong(score)
    if not wrong:
        return []
    done = played(domain, task, output["actions"])
    return _AgainstTruth(domain, task, done, output["action_steps"]).evidence(wrong)


def _wrong(score: Score) -> Wrong:
    return (
        *(score.why.rows if "DB" in score.basis else ()),
        *(score.why.failed_assertions if "ENV_ASSERTION" in score.basis else ()),
    )


class _AgainstTruth:
    """The scorer itself is asked whether a difference matters, so that what it forgives is never called a mistake.

    Only writes are replayed for that: what was read leaves no trace in the database.
    """

    def __init__(self, domain: Domain, task: Task, done: Sequence[Done], steps: Sequence[int]) -> None:
        self._domain = domain
        self._task = task
        self._steps = steps
        # The scorer leaves out of the ground truth what would end the conversation.
        truth = [action for action in task.actions if action["name"] not in domain.ending_tools]
        self._gold = [one.action for one in played(domain, task, truth) if one.wrote]
        self._writes = [one for one in done if one.wrote]
        self._failed = [one for one in done if not one.wrote and one.action["name"] != RESPOND]

    def evidence(self, wrong: Wrong) -> list[Evidence]:
        missing, free, unlike = self._matched()
        extra = [one for one in free if self._matters(one, wrong)]
        wrong_tools = list(self._same_object(missing, extra))
        found = [
            *(self._wrong_tool(pair) for pair in wrong_tools),
            *(self._wrong_arguments(pair) for pair in unlike),
            *(self._absent(gold) for gold in missing if all(gold is not pair.gold for pair in wrong_tools)),
            *(self._extra(one) for one in extra if all(one is not pair.done for pair in wrong_tools)),
        ]
        rows = [one for one in wrong if isinstance(one, RowDifference)]
        return found or ([self._unexplained(rows)] if rows else [])

    def _matched(self) -> tuple[list[Action], list[Done], list[_Pair]]:
        """Gold writes and done ones that have no partner, and the pairs whose arguments differ in a way that counts."""
        left = dict(enumerate(self._gold))
        free = {one.place: one for one in self._writes}
        candidates = sorted(
            (*self._distance(gold, one.action), wanted, one.place)
            for wanted, gold in left.items()
            for one in self._writes
            if one.action["name"] == gold["name"]
        )
        unlike: list[_Pair] = []
        for _, _, wanted, place in candidates:
            if wanted in left and place in free:
                pair = _Pair(gold=left.pop(wanted), done=free.pop(place))
                found = pair.done.action
                if differences(pair.gold, found) and not self._right(self._gold_with(wanted, found)):
                    unlike.append(pair)
        missing = [gold for wanted, gold in left.items() if not self._right(self._gold_with(wanted))]
        return missing, list(free.values()), sorted(unlike, key=lambda pair: pair.done.place)

    def _distance(self, gold: Action, found: Action) -> tuple[bool, int]:
        """How unlike two calls of one tool are: first whether they are about the same thing."""
        return key_of(gold, self._domain) != key_of(found, self._domain), len(differences(gold, found))

    def _same_object(self, missing: Sequence[Action], extra: Sequence[Done]) -> Iterator[_Pair]:
        """A missing write and one too many on the same order, say: the wrong tool was used."""
        free = list(extra)
        for gold in missing:
            key = key_of(gold, self._domain)
            if key is None or key[0] == _USER:
                continue
            same_key = (one for one in free if key_of(one.action, self._domain) == key)
            one = next((one for one in same_key if one.action["name"] != gold["name"]), None)
            if one is not None:
                free.remove(one)
                yield _Pair(gold=gold, done=one)

    def _absent(self, gold: Action) -> Evidence:
        """Perhaps the last call of that tool on the same thing came to nothing: then that is what was wrong."""
        tried = [one for one in self._failed if one.action["name"] == gold["name"]]
        attempt = next(
            (one for one in reversed(tried) if key_of(one.action, self._domain) == key_of(gold, self._domain)), None
        )
        if attempt is not None and differences(gold, attempt.action):
            return self._wrong_arguments(_Pair(gold=gold, done=attempt)) | {"observation": attempt.observation}
        found: Evidence = {"kind": "missing_write", "tool": gold["name"], "arguments": gold["kwargs"], **_whose(gold)}
        if attempt is not None:
            found |= {"attempted_at_step": self._steps[attempt.place], "observation": attempt.observation}
        return found

    def _wrong_tool(self, pair: _Pair) -> Evidence:
        return {
            "kind": "wrong_tool",
            "step": self._steps[pair.done.place],
            "expected_tool": pair.gold["name"],
            "found_tool": pair.done.action["name"],
            "expected": pair.gold["kwargs"],
            "found": pair.done.action["kwargs"],
            **_whose(pair.gold),
        }

    def _wrong_arguments(self, pair: _Pair) -> Evidence:
        return {
            "kind": "wrong_arguments",
            "step": self._steps[pair.done.place],
            "tool": pair.gold["name"],
            "about": _about(pair.gold, self._domain),
            "differences": differences(pair.gold, pair.done.action),
            **_whose(pair.gold),
        }

    def _extra(self, one: Done) -> Evidence:
        return {
            "kind": "extra_write",
            "step": self._steps[one.place],
            "tool": one.action["name"],
            "arguments": one.action["kwargs"],
            **_whose(one.action),
        }

    def _unexplained(self, rows: Sequence[RowDifference]) -> Evidence:
        """Every write was made as it should be: then their order was not, or what was read in between differs."""
        return {
            "kind": "wrong_order",
            "expected": [action["name"] for action in self._gold],
            "found": [one.action["name"] for one in self._writes],
            "rows": [f"{row.table} {row.key}" for row in rows],
        }

    def _matters(self, one: Done, wrong: Wrong) -> bool:
        """Whether something else would be wrong without this write, or nothing."""
        others = [other.action for other in self._writes if other is not one]
        return _wrong(self._domain.score(self._task, others)) != wrong

    def _gold_with(self, place: int, *instead: Action) -> list[Action]:
        """The gold writes with something, or nothing, in the place of one."""
        return [*self._gold[:place], *instead, *self._gold[place + 1 :]]

    def _right(self, actions: Sequence[Action]) -> bool:
        return not _wrong(self._domain.score(self._task, actions))


def key_of(action: Action, domain: Domain) -> tuple[str, object] | None:
    """What the call is about: the name and value of its main argument."""
    return next(iter(_about(action, domain).items()), None)


def differences(gold: Action, found: Action) -> list[Evidence]:
    """The arguments that are not the same; null stands for one that was not given."""
    wanted, given = gold["kwargs"], found["kwargs"]
    return [
        {"argument": name, "expected": wanted.get(name), "found": given.get(name)}
        for name in dict.fromkeys((*wanted, *given))
        if name not in wanted or name not in given or not same(wanted[name], given[name])
    ]


def _whose(call: Action) -> Evidence:
    """The agent's does not say it."""
    return {"by": "user"} if call.get("by") == "user" else {}


def _about(action: Action, domain: Domain) -> Evidence:
    return {name: action["kwargs"][name] for name in (*domain.key_arguments, _USER) if name in action["kwargs"]}
