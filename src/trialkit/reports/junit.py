"""The report as JUnit XML: each trial a test case, so that any CI shows it."""

import re
from xml.etree import ElementTree as ET

from trialkit.runfile import RecordedTrial

from .summary import CaseSummary, Summary

# what XML 1.0 cannot hold, not even escaped
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_report(summary: Summary) -> str:
    info = summary.info
    suite = ET.Element(
        "testsuite",
        name=_text(f"{info.suite} {info.subject}"),
        tests=str(summary.total),
        failures=str(summary.failed),
        errors=str(summary.errors),
        skipped=str(summary.unjudged + summary.open),
        time=f"{info.wall_s:.3f}",
        timestamp=info.created,
    )
    for one in summary.cases:
        for trial in one.trials:
            _add(suite, f"{info.suite}.{one.case.group}", one, trial)
    ET.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suite, encoding="unicode") + "\n"


def _add(suite: ET.Element, class_name: str, one: CaseSummary, trial: RecordedTrial) -> None:
    name = f"{one.case.id} {one.case.title}" + (f" (trial {trial.number})" if len(one.trials) > 1 else "")
    test = ET.SubElement(
        suite, "testcase", classname=_text(class_name), name=_text(name), time=f"{trial.elapsed_s or 0:.3f}"
    )
    critique = _text(trial.decided.critique if trial.decided else trial.error or "")
    if trial.outcome == "fail":
        ET.SubElement(test, "failure", message=critique).text = critique
    elif trial.outcome == "error":
        ET.SubElement(test, "error", message=critique).text = critique
    elif trial.outcome is None:
        ET.SubElement(test, "skipped", message="not judged" if trial.ended else "not run")


def _text(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
