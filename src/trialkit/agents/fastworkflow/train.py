"""FastWorkflow's own training, driven: it needs its full environment, a model, and the Hugging Face hub."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from trialkit.agents.outside import AgentEnvironment
from trialkit.errors import InputError
from trialkit.models import ModelSpec, open_model

from .environment import DONE, Say, Venv

_ROLES = ("SYNDATA_GEN", "PARAM_EXTRACTION", "RESPONSE_GEN", "PLANNER", "AGENT", "CONVERSATION_STORE")


def train(environment: Venv, spec: ModelSpec, say: Say, variables: Sequence[str] = ()) -> Path:
    """The trained workflow, which runs use from now on. Of our environment it gets what any agent does."""
    if environment.slim or not environment.is_installed:
        raise InputError(
            f"training needs the full FastWorkflow {environment.version}; run "
            "`trialkit agents install fastworkflow` (without --slim)"
        )
    model = open_model(spec)  # says what is wrong with the name or the key; nothing is sent
    folder = environment.trained
    if "fastworkflow" in str(folder.absolute()):
        raise InputError(
            f"{folder}: FastWorkflow trains only half of itself where its own name is in the path; set "
            "TRIALKIT_CACHE_DIR to a folder without it, install there and train there"
        )
    (folder.parent / DONE).unlink(missing_ok=True)
    if not folder.is_dir():
        shutil.copytree(_shipped(environment), folder)
    say(f"training FastWorkflow's retail workflow with {model.name} in {folder}: some 75 model calls, about 7 minutes")
    with TemporaryDirectory(prefix="trialkit-train-") as place:
        settings, keys = _files(environment, Path(place), model.name)
        command = [str(part) for part in (environment.python, "-m", "fastworkflow.train", folder, settings, keys)]
        provider = model.name.partition("/")[0].upper()
        found = AgentEnvironment(variables, (f"{provider}_BASE_URL", f"{provider}_API_BASE")).variables
        base = {"OPENAI_BASE_URL": spec.api_base, "OPENAI_API_BASE": spec.api_base} if spec.api_base else {}
        done = subprocess.run(  # noqa: S603 - FastWorkflow's own Python
            command, env={**found, **base}, stdin=subprocess.DEVNULL, check=False
        )
    if done.returncode:
        raise InputError(
            f"FastWorkflow's training failed with status {done.returncode}; it says why above. It needs the model, "
            "and huggingface.co for its base models and the dataset proj-persona/PersonaHub"
        )
    (folder.parent / DONE).write_text(json.dumps({"model": model.name}), encoding="utf-8")
    say("trained: runs with --agent fastworkflow use it (mode trained)")
    return folder


def _shipped(environment: Venv) -> Path:
    found = sorted(environment.folder.glob("lib/python*/site-packages/fastworkflow/examples/retail_workflow"))
    if not found:
        raise InputError(f"{environment.folder}: holds no retail workflow; install it again after deleting the folder")
    return found[0]


def _files(environment: Venv, place: Path, model: str) -> tuple[Path, Path]:
    """Its settings and its keys, in the two files that it wants; no one else can read them, and they go at once."""
    shipped = (_shipped(environment).parent / "fastworkflow.env").read_text(encoding="utf-8")
    kept = [line for line in shipped.splitlines() if not line.startswith("LLM_")]
    settings, keys = place / "fastworkflow.env", place / "fastworkflow.passwords.env"
    settings.write_text("\n".join([*kept, *(f"LLM_{role}={model}" for role in _ROLES)]) + "\n", encoding="utf-8")
    key = os.environ.get(f"{model.partition('/')[0].upper()}_API_KEY") or "none"
    keys.touch(mode=0o600)
    keys.write_text("".join(f"LITELLM_API_KEY_{role}={key}\n" for role in _ROLES), encoding="utf-8")
    return settings, keys
