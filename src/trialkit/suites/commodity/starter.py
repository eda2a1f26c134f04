"""The files that `trialkit init` writes: what is shipped, where a run in that folder looks first."""

from trialkit.suites import Starter

from .content import shipped

_FILES = {
    "golden/scenarios.csv": "golden/scenarios.csv",
    "analyzer_prompts/v1.txt": "prompts/analyzer_prompts/v1.txt",
    "judge_prompts/v1.txt": "prompts/judge_prompts/v1.txt",
}


def starter() -> Starter:
    files = {name: (shipped() / place).read_bytes().decode() for name, place in _FILES.items()}
    return Starter(files=files, command="trialkit run commodity --model baseline")
