"""All measurements of speed, one after the other, with the state of the machine.

uv run python -m benchmarks
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

#: Each alternates between what is measured and what it is held against.
_ALL = (
    ("start_up",),
    ("engine",),
    ("resume",),
    ("limits",),
    ("tau_environment",),
    ("tau_conversation", "--concurrency", "115"),
    ("compare_speed",),
    ("following",),
)


def main() -> None:
    for module, *more in _ALL:
        load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
        state = f"{os.cpu_count()} cores, Python {platform.python_version()}, load {load}"
        print(f"\n== {module} {' '.join(more)} ({state})", flush=True)
        root = Path(__file__).resolve().parents[1]
        done = subprocess.run([sys.executable, "-m", f"benchmarks.{module}", *more], cwd=root, check=False)
        if done.returncode:
            print(f"{module}: not measured", flush=True)


if __name__ == "__main__":
    main()
