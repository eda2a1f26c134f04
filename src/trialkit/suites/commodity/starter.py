"""The files that `trialkit init` writes: what is shipped, where a run in that folder looks first."""

from .content import shipped

_FILES = {
    "golden/scenarios.csv": "golden/scenarios.csv",
    "analyzer_prompts/v1.txt": "prompts/analyzer_prompts/v1.txt",
    "judge_prompts/v1.txt": "prompts/judge_prompts/v1.txt",
}


def starter_files() -> dict[str, str]:
    return {name: (shipped() / place).read_bytes().decode() for name, place in _FILES.items()}
