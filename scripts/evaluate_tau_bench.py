"""Evaluate an agent on tau-bench: `trialkit run tau-bench/ENV`, with the flags of tau-bench's own runner as well.

    python scripts/evaluate_tau_bench.py --model gpt-4o --provider openai --env retail --task-ids 1,2,3

Flags that are not listed here are those of `trialkit run tau-bench/ENV --help`.
"""

import argparse
import sys
from collections.abc import Sequence

try:
    from trialkit.cli import main
except ModuleNotFoundError as error:
    print(f"{error}; run it where trialkit is installed: uv run python scripts/evaluate_tau_bench.py", file=sys.stderr)
    sys.exit(2)

#: tau-bench's name of a flag → ours.
_RENAMED = {
    "--model-provider": "--provider",
    "--user-model-provider": "--user-provider",
    "--agent-strategy": "--agent",
    "--log-dir": "--output-dir",
}
#: Given with or without a value there; ours are plain switches.
_SWITCHES = {
    "--clear-cache": ("--clear-cache", None),
    "--shuffle": ("--shuffle", None),
    "--use-reasoning": ("--use-reasoning", "--no-use-reasoning"),
}
_YES, _NO = ("true", "1", "yes"), ("false", "0", "no")


def arguments(given: Sequence[str]) -> list[str]:
    """The command line of trialkit that means the same."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--env", choices=["retail", "airline"], default="retail")
    parser.add_argument("--task-ids", nargs="+", default=[], metavar="ID", help="1,2,3 or 1 2 3")
    for flag in _SWITCHES:
        parser.add_argument(flag, nargs="?", const="true", choices=[*_YES, *_NO], type=str.lower)
    for flag in _RENAMED:
        parser.add_argument(flag)
    known, rest = parser.parse_known_args(given)
    values = vars(known)
    command = ["run", f"tau-bench/{known.env}", *rest]
    if known.task_ids:
        command += ["--task-ids", ",".join(known.task_ids)]
    for flag, ours in _RENAMED.items():
        if (value := values[_name(flag)]) is not None:
            command += [ours, value]
    for flag, (on, off) in _SWITCHES.items():
        value = values[_name(flag)]
        chosen = None if value is None else on if value in _YES else off
        if chosen is not None:
            command.append(chosen)
    return command


def _name(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")


if __name__ == "__main__":
    main(arguments(sys.argv[1:]))
