"""FastWorkflow as an agent on trial: a worker that runs in an environment of its own, which trialkit makes."""

from .environment import VERSION, Venv, install
from .train import train

__all__ = ["VERSION", "Venv", "install", "train"]
