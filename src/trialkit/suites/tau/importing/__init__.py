"""Recorded results of tau-bench and tau2, made into what a run file holds.

The reward that was recorded is the verdict of the judge `recorded` and decides; scored again by our environment, a
trial has the verdict of `environment` beside it.
"""

from .importer import IMPORTER, read_file
from .material import RECORDED, imported
from .reading import Entry
from .rescoring import Rescored, Rescorer

__all__ = ["IMPORTER", "RECORDED", "Entry", "Rescored", "Rescorer", "imported", "read_file"]
