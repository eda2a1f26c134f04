"""The versions of a prompt that runs of a suite were made with, and how each of them fared."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from trialkit.runfile import Prompt

from .runs import ListedRun


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptVersion:
    """One text; a version that was changed without a new name is two."""

    prompt: Prompt
    runs: tuple[ListedRun, ...]  # the newest first


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptHistory:
    suite: str
    role: str
    versions: tuple[PromptVersion, ...]  # the one that was used first comes first


def prompt_histories(runs: Iterable[ListedRun]) -> list[PromptHistory]:
    """Those with several versions first: there is something to hold against each other."""
    found: defaultdict[tuple[str, str], dict[str, tuple[Prompt, list[ListedRun]]]] = defaultdict(dict)
    for run in sorted(runs, key=lambda run: run.info.created):
        for prompt in run.prompts:
            found[run.info.suite, prompt.role].setdefault(prompt.hash, (prompt, []))[1].append(run)
    histories = [
        PromptHistory(
            suite=suite,
            role=role,
            versions=tuple(PromptVersion(prompt=prompt, runs=tuple(reversed(used))) for prompt, used in texts.values()),
        )
        for (suite, role), texts in found.items()
    ]
    return sorted(histories, key=lambda one: (-len(one.versions), one.suite, one.role))


def text_difference(before: str, after: str) -> Sequence[str]:
    """Line by line: `+` is new, `-` is gone, and what stands around them; `@@` where lines are left out."""
    return list(unified_diff(before.splitlines(), after.splitlines(), n=3, lineterm=""))[2:]  # without the files' names
