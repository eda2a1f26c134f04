"""Recorded results of tau-bench and tau2, made into what a run file holds.

The reward that was recorded is the verdict of the judge `recorded` and decides; scored again by our environment, a
trial has the verdict of `environment` beside it.
"""

from trialkit.suites.tau.importing.entries import Entry, RecordedTask, Results
from trialkit.suites.tau.importing.files import read_file
from trialkit.suites.tau.importing.importer import IMPORTER
from trialkit.suites.tau.importing.material import RECORDED, imported
from trialkit.suites.tau.importing.rescoring import Rescored, Rescorer

__all__ = [
    "IMPORTER",
    "RECORDED",
    "Entry",
    "RecordedTask",
    "Rescored",
    "Rescorer",
    "Results",
    "imported",
    "read_file",
]
