"""Evaluate price alerts, with the flags that the evaluation has always had.

    ANTHROPIC_API_KEY=your-key uv run python scripts/run_eval.py --verbose

  --csv PATH             Golden CSV [default: golden/scenarios.csv]
  --analyzer-prompt VER  Version of the analyzer's prompt [default: v1]
  --judge-prompt VER     Version of the judge's prompt [default: v1]
  --output-dir PATH      Where the results go [default: eval_results]
  --verbose, -v          Print a line for every scenario
  --skip-analysis        Only judge the answers that the CSV holds
  --skip-judge           Only collect answers

Whatever else `trialkit run commodity` takes, this takes too:
"""

import sys

try:
    from trialkit.cli import main
except ModuleNotFoundError as error:
    print(f"{error}; run it where trialkit is installed: uv run python scripts/run_eval.py", file=sys.stderr)
    sys.exit(2)

if {"-h", "--help"}.intersection(sys.argv):
    print(__doc__, flush=True)
main(["run", "commodity", *sys.argv[1:]])
