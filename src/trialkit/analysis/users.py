"""What it does to a result who plays the user: runs that differ in that alone."""

from collections.abc import Sequence

from trialkit.pages import Note, Part, Rate, Table
from trialkit.stats import Tried, UserVariance, user_variance
from trialkit.text.shown import counted

from .differences import of_user, setup_differences
from .loaded import LoadedRun

_TITLE = "Where the variance comes from"


def variance_by_user(runs: Sequence[LoadedRun]) -> UserVariance | None:
    """None: the runs differ in something else, or in nothing."""
    differs = {what for what, _ in setup_differences(runs)}
    if not differs or not differs <= set.intersection(*map(of_user, runs)) or len({run.subject for run in runs}) > 1:
        return None
    led = [{case_id: Tried(values=case.values) for case_id, case in run.cases.items()} for run in runs]
    return user_variance(led)


def user_parts(runs: Sequence[LoadedRun]) -> list[Part]:
    found = variance_by_user(runs)
    if found is None:
        return []
    if found.user.value is None:
        again = any(len(case.values) > 1 for run in runs for case in run.cases.values())
        told = "These runs differ in their users only; two trials of each case would tell their share of the variance."
        return [] if again else [Note(text=told)]
    rows = (
        ("between cases", Rate(found.alike)),
        ("between users of a case", Rate(found.user)),
        ("between trials of a case", Rate(found.rest)),
    )
    note = f"with these {len(runs)} users, over the {counted(found.user.n, 'case')} of all; of others it tells nothing"
    return [Table(title=_TITLE, columns=("Part", "Share"), rows=rows, note=note)]


def user_data(runs: Sequence[LoadedRun]) -> dict[str, object] | None:
    found = variance_by_user(runs)
    if found is None:
        return None
    return {name: getattr(found, name).to_data() for name in ("alike", "user", "rest")}
