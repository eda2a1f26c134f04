"""A run as text, in any of the formats. A format's module is loaded when it is asked for."""

from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.suites import get_suite
from trialkit.text.shown import one_line

from .summary import summarize

FORMATS = ("console", "json", "csv", "md", "junit", "tau-bench", "tau2")


def render(run: RunFile, form: str) -> str:  # noqa: PLR0911 - one for each format
    if form == "csv":
        return _csv(run)
    if form == "tau-bench":
        from .tau_bench import tau_bench_report  # noqa: PLC0415 - see above

        return tau_bench_report(run)
    if form == "tau2":
        from .tau2 import tau2_report  # noqa: PLC0415 - see above

        return tau2_report(run)
    summary = summarize(run)
    if form == "json":
        from .json import json_report  # noqa: PLC0415 - see above

        return json_report(summary, run)
    if form == "md":
        from .markdown import markdown_report  # noqa: PLC0415 - see above

        return markdown_report(summary)
    if form == "junit":
        from .junit import junit_report  # noqa: PLC0415 - see above

        return junit_report(summary)
    from .console import console_report  # noqa: PLC0415 - see above

    info = summary.info
    title = one_line(f"{info.suite}: {info.subject} ({info.created[:16].replace('T', ' ')} UTC)")
    return f"{title}\n{console_report(summary)}"


def _csv(run: RunFile) -> str:
    suite = run.info().suite
    exports = get_suite(suite).exports(run)
    if ".csv" not in exports:
        raise InputError(f"the suite {suite} has no CSV; choose another --format")
    return exports[".csv"]
