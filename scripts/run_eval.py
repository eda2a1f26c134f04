"""The commodity evaluation under the name that its first users know: `trialkit run commodity` with the same flags."""

import sys

try:
    from trialkit.cli import main
except ModuleNotFoundError as error:
    print(f"{error}; run it where trialkit is installed: uv run python scripts/run_eval.py", file=sys.stderr)
    sys.exit(2)

main(["run", "commodity", *sys.argv[1:]])
