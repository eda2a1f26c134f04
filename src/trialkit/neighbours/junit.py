"""A run as JUnit XML: each trial a test case, so that any CI shows it."""

import re
from collections import Counter, defaultdict
from xml.etree import ElementTree as ET

from trialkit.runfile import RecordedTrial, RunFile
from trialkit.suites import Format
from trialkit.vocabulary import Case

# what XML 1.0 cannot hold, not even escaped
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_report(run: RunFile) -> str:
    info, trials = run.info(), run.once(RunFile.trials)
    outcomes = Counter(trial.outcome if trial.ended else None for trial in trials)
    suite = ET.Element(
        "testsuite",
        name=_text(f"{info.suite} {info.subject}"),
        tests=str(len(trials)),
        failures=str(outcomes["fail"]),
        errors=str(outcomes["error"]),
        skipped=str(outcomes[None]),
        time=f"{info.wall_s:.3f}",
        timestamp=info.created,
    )
    by_case: defaultdict[str, list[RecordedTrial]] = defaultdict(list)
    for trial in sorted(trials, key=lambda trial: trial.number):
        by_case[trial.case_id].append(trial)
    for case in run.once(RunFile.cases):
        for trial in by_case[case.id]:
            _add(suite, f"{info.suite}.{case.group}", case, trial, several=len(by_case[case.id]) > 1)
    ET.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suite, encoding="unicode") + "\n"


def _add(suite: ET.Element, class_name: str, case: Case, trial: RecordedTrial, *, several: bool) -> None:
    name = f"{case.id} {case.title}" + (f" (trial {trial.number})" if several else "")
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


FORMAT = Format(suffix=".xml", write=junit_report)
