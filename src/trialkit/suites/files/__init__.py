"""Suites that are installed nowhere: of a YAML file, of a Python file, of an object in a module.

What one is made of stands in its `definition`, which the run file keeps.
"""

from .opening import changed_files, names_a_file, open_suite, suite_from, suite_schema, withheld

__all__ = ["changed_files", "names_a_file", "open_suite", "suite_from", "suite_schema", "withheld"]
