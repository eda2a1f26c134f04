"""Where runs go, and where trialkit keeps what outlives a run: stored replies, fetched data."""

import os
from pathlib import Path

#: Where run files and their exports go, unless something else is said.
RESULTS = Path("eval_results")


def cache_dir() -> Path:
    """`TRIALKIT_CACHE_DIR`, else `trialkit` in the user's cache folder. It may not exist yet."""
    own = os.environ.get("TRIALKIT_CACHE_DIR")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trialkit"
