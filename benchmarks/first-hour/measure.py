"""The forty tickets in each tool that is given: lines of its files, seconds, and what it counted.

`python benchmarks/first-hour/measure.py trialkit=PROGRAM inspect=PROGRAM pydantic_evals=PYTHON promptfoo=PROGRAM`
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tickets import as_excel_writes_it

from server import serve

_HERE = Path(__file__).parent
_MODEL = "openai/gpt-4.1-mini"
#: What is typed after the program's name; ten at a time everywhere.
_COMMANDS = {
    "trialkit": ["run", "tickets.yaml", "--no-cache"],
    "inspect": ["eval", "tickets.py", "--model", _MODEL, "--max-connections", "10", "--display", "plain"],
    "pydantic_evals": ["tickets.py"],
    "promptfoo": ["eval", "--repeat", "3", "--max-concurrency", "10", "--no-cache", "--no-table"],
}
_VARIABLES = {
    "OPENAI_API_KEY": "none",
    "PROMPTFOO_CSV_DELIMITER": ";",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
}
_SHOWN = ("accuracy  ", "passed (", "failed (", "pass rate", "careful  model", "Averages")


def measure(tool: str, program: str, base: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / tool
        shutil.copytree(_HERE / tool, folder)
        table = as_excel_writes_it()
        if tool == "promptfoo":  # it reads no other encoding, and puts question marks instead
            table = table.decode("cp1252").encode()
        (folder / "tickets.csv").write_bytes(table)
        (written,) = (file for file in (_HERE / tool).iterdir() if file.is_file())
        lines = sum(bool(line.strip()) for line in written.read_text().splitlines())
        begun, worked = time.perf_counter(), _worked()
        done = subprocess.run(
            [program, *_COMMANDS[tool]],
            cwd=folder,
            env={**os.environ, **_VARIABLES, "OPENAI_BASE_URL": base, "HOME": name},
            capture_output=True,
            text=True,
            check=False,
        )
        seconds, cpu = time.perf_counter() - begun, _worked() - worked
    print(f"{tool}: {lines} lines, {seconds:.1f} s, {cpu:.1f} s of CPU, exit status {done.returncode}")
    for line in done.stdout.splitlines():
        if any(word in line for word in _SHOWN):
            print(f"  {line.strip()}")


def _worked() -> float:
    """Seconds of CPU of the programs so far: on a busy machine the clock tells little."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(programs: list[str]) -> None:
    server = serve()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for one in programs:
        tool, _, program = one.partition("=")
        measure(tool, program, f"http://127.0.0.1:{server.server_port}/v1")
    server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1:])
