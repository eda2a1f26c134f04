"""Suites: what a benchmark must offer, and how one is found.

A package adds a suite by an entry point in the group `trialkit.suites` that names a `Suite` object; so do we.
"""

from typing import TYPE_CHECKING

from trialkit.doors import door

from .asking import asking  # it is called as its module

if TYPE_CHECKING:
    from .base import API, Runner, Suite, Trial
    from .beginning import starter_names, starter_of
    from .cast import Peer, Role
    from .checks import checked_suite, content_of
    from .content import Content, Details
    from .extras import (
        CheckedContent,
        ImportedRun,
        Importer,
        Problem,
        Progress,
        Review,
        Source,
        Starter,
        Usual,
    )
    from .formats import Format
    from .found import (
        changes_since,
        every_suite,
        get_suite,
        remember_suite,
        shown_without,
        suite_in,
        suite_names,
        suite_of,
        suite_of_run,
    )
    from .hashing import hash_of
    from .import_settings import ImportSettings
    from .probes import FREE, Probe
    from .prompts import read_prompt
    from .roles import other_spec, subject_spec
    from .simulated import user_faults
    from .variants import Variant, text_variants
    from .writing import check_beside, find_format, general_formats, pieces, written

__all__ = [
    "API",
    "FREE",
    "CheckedContent",
    "Content",
    "Details",
    "Format",
    "ImportSettings",
    "ImportedRun",
    "Importer",
    "Peer",
    "Probe",
    "Problem",
    "Progress",
    "Review",
    "Role",
    "Runner",
    "Source",
    "Starter",
    "Suite",
    "Trial",
    "Usual",
    "Variant",
    "asking",
    "changes_since",
    "check_beside",
    "checked_suite",
    "content_of",
    "every_suite",
    "find_format",
    "general_formats",
    "get_suite",
    "hash_of",
    "other_spec",
    "pieces",
    "read_prompt",
    "remember_suite",
    "shown_without",
    "starter_names",
    "starter_of",
    "subject_spec",
    "suite_in",
    "suite_names",
    "suite_of",
    "suite_of_run",
    "text_variants",
    "user_faults",
    "written",
]

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        {
            "base": "API Runner Suite Trial",
            "cast": "Peer Role",
            "beginning": "starter_names starter_of",
            "checks": "checked_suite content_of",
            "content": "Content Details",
            "extras": "CheckedContent ImportedRun Importer Problem Progress Review Source Starter Usual",
            "formats": "Format",
            "found": "changes_since every_suite get_suite remember_suite shown_without suite_in suite_names "
            "suite_of suite_of_run",
            "import_settings": "ImportSettings",
            "hashing": "hash_of",
            "probes": "FREE Probe",
            "prompts": "read_prompt",
            "roles": "other_spec subject_spec",
            "simulated": "user_faults",
            "variants": "Variant text_variants",
            "writing": "check_beside find_format general_formats pieces written",
        },
    )
