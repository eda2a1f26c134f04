"""Evaluate an agent on tau-bench; the flags of its own runner work, too.

    python scripts/evaluate_tau_bench.py --model openai/gpt-4o --task-ids 1,2,3

  --env ENV                 retail or airline [default: retail]
  --task-ids ID ...         Only these tasks: 1,2,3 or 1 2 3 [default: all]
  --model MODEL             Model on trial: provider/name, or its name alone
  --provider NAME           Its provider; --model-provider is the same
  --temperature T           The agent's sampling temperature [default: 0]
  --use-reasoning [BOOL]    The agent react, which thinks first; false: act
  --agent-strategy NAME     Any agent; --agent is the same
  --user-model-provider P   That of --user-model; --user-provider is the same
  --num-trials N            Trials of each task [default: 1]
  --max-steps N             Moves before a conversation is cut off [default: 30]
  --max-concurrency N       Trials at the same time [default: 10]
  --shuffle [BOOL]          Run the trials in an order drawn with the seed
  --clear-cache [BOOL]      Forget all stored replies first [default: false]
  --log-dir DIR             Where the results go; --output-dir is the same

Whatever else `trialkit run tau-bench/ENV` takes, this takes too:
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
    parser = argparse.ArgumentParser(usage="%(prog)s [OPTIONS]; see -h", add_help=False, allow_abbrev=False)
    parser.add_argument("--env", choices=["retail", "airline"], default="retail")
    parser.add_argument("--task-ids", nargs="+", default=[], metavar="ID")
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
    if {"-h", "--help"}.intersection(sys.argv):
        print(__doc__, flush=True)
    main(arguments(sys.argv[1:]))
