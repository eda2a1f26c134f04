"""The commodity evaluation under the name that its first users know: `trialkit run commodity` with the same flags."""

import sys

from trialkit.cli import main

main(["run", "commodity", *sys.argv[1:]])
