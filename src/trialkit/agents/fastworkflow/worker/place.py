"""A folder of this process's own, with a copy of the workflow: processes that share one get in each other's way."""

import atexit
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def own_folder() -> Path:
    """Where the copies of this user's processes lie."""
    root = Path(tempfile.gettempdir()) / f"trialkit-fastworkflow-{os.getuid()}"
    root.mkdir(mode=0o700, exist_ok=True)
    found = root.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o022 or not stat.S_ISDIR(found.st_mode):
        # code is run from it, so whoever can write to it could run theirs
        raise SystemExit(f"{root} is not this user's own folder; remove it, or set TMPDIR to another place")
    return root


def private_copy(workflow: Path) -> Path:
    """The copy, which goes when the process ends; copies of processes that were killed go now."""
    root = own_folder()
    for left in root.iterdir():
        if left.name.isdecimal() and not _alive(int(left.name)):
            shutil.rmtree(left, ignore_errors=True)
    place = root / str(os.getpid())
    shutil.rmtree(place, ignore_errors=True)
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    # the databases in it are never read: tools are executed by trialkit
    return Path(
        shutil.copytree(workflow, place / workflow.name, ignore=shutil.ignore_patterns("*.json.bak", "__pycache__"))
    )


def _alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        with suppress(PermissionError):
            os.kill(pid, 0)
        return True
    return False
