"""`trialkit import FILE…`."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from trialkit.analysis import digest_page, import_labels, summarize
from trialkit.engine import record_run
from trialkit.errors import InputError
from trialkit.pages import write_page
from trialkit.runfile import RunFile
from trialkit.suites.tau.importing import Rescored, Rescorer, Results, imported, read_file
from trialkit.text.shown import counted

from .finish import WITH_ERRORS


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--suite", help="Whose results they are [default: what the file tells].")
@click.option("--task-split", metavar="SPLIT", help="Which tasks were run [default: test; base for tau2].")
@click.option("--rescore", is_flag=True, help="Score every trial with our environment too, and list what differs.")
@click.option("--data-dir", metavar="DIR", help="The benchmark's content, for --rescore.")
@click.option("--output-dir", metavar="DIR", default="eval_results", help="Where run files go [default: eval_results].")
@click.option("--run", "run_path", metavar="RUN", help="A CSV's labels go into this run file.")
@click.option("--annotator", metavar="NAME", default="human", help="Whose labels, where the CSV does not say [human].")
@click.option("--name", metavar="SUBJECT", help="Who was on trial [default: the model in the file, or its name].")
@click.pass_context
def command(  # noqa: PLR0913 - one parameter for each option
    ctx: click.Context,
    /,
    *,
    files: Sequence[str],
    suite: str | None,
    task_split: str | None,
    rescore: bool,
    data_dir: str | None,
    output_dir: str,
    run_path: str | None,
    annotator: str,
    name: str | None,
) -> None:
    """Make a run file of each results FILE of tau-bench (a list) or tau2 (an object with simulations).

    The recorded rewards are the verdicts. Trials that crashed end in error, whatever reward was written for them.
    A FILE that is a CSV brings labels back: its Human columns go into the run file that --run names.
    """
    if any(file.lower().endswith(".csv") for file in files) or run_path is not None:
        _import_labels(files, run_path, annotator)
        return
    read = [(Path(file), read_file(Path(file), suite)) for file in files]  # all of them, before anything is written
    errors = 0
    for path, results in read:
        split = task_split or ("base" if results.suite.startswith("tau2/") else "test")
        rescored = _rescored(results, split, data_dir) if rescore else []
        scored = {(one.entry.task_id, one.entry.number): one.verdict for one in rescored if one.verdict is not None}
        run = imported(results, path, subject=name or results.subject, split=split, scored=scored)
        recorded = record_run(run.header, run.cases, run.trials, Path(output_dir))
        with RunFile(recorded) as file:
            summary = summarize(file)
        click.echo(write_page(digest_page(summary), "console"))
        _print_rescored(rescored)
        click.echo(f"run file  {recorded}")
        errors += summary.counts.errors
    if errors:
        click.echo(f"{counted(errors, 'trial')} had crashed and count as errors, not as fails", err=True)
        ctx.exit(WITH_ERRORS)


def _import_labels(files: Sequence[str], run_path: str | None, annotator: str) -> None:
    if run_path is None:
        raise InputError(f"{files[0]}: labels belong to a run; name its run file: --run RUN")
    found = import_labels([Path(file) for file in files], Path(run_path), annotator)
    changed = f", {found.changed} of them changed" if found.changed else ""
    click.echo(f"{counted(found.labels, 'label')} imported{changed}; {counted(found.unlabelled, 'row')} without one")


def _rescored(results: Results, split: str, data_dir: str | None) -> list[Rescored]:
    rescorer = Rescorer(results, split, None if data_dir is None else Path(data_dir))
    if changed := rescorer.changed_tasks():
        shown = ", ".join(changed[:10]) + (" …" if len(changed) > 10 else "")
        click.echo(
            f"{counted(len(changed), 'task')} of the file differ from the split {split} of our content ({shown}); they "
            "are scored as the file has them. Another split: --task-split",
            err=True,
        )
    return [rescorer.score(entry) for entry in results.entries]


def _print_rescored(rescored: Sequence[Rescored]) -> None:
    if not rescored:
        return
    compared = [one for one in rescored if one.agrees is not None]
    differing = [one for one in compared if not one.agrees]
    for one in differing:
        verdict = one.verdict
        ours, why = (verdict.score, verdict.critique) if verdict else (None, "")
        click.echo(
            f"task {one.entry.task_id} trial {one.entry.number}: recorded {one.entry.reward:g}, ours {ours:g}: {why}"
        )
    observations, other = sum(one.observations for one in rescored), sum(one.differing for one in rescored)
    click.echo(
        f"re-scored {counted(len(compared), 'trial')}: {len(compared) - len(differing)} agree with the recorded "
        f"reward, {len(differing)} differ; of {observations:,} observations {other:,} differ"
    )
    reasons = Counter(one.why_not for one in rescored if one.why_not is not None)
    for reason, count in reasons.items():
        click.echo(f"not compared, {reason}: {counted(count, 'trial')}")
