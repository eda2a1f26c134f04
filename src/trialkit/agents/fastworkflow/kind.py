"""`--agent fastworkflow`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trialkit.agents.kind import Confines, Need
from trialkit.agents.outside import AgentConnection, AgentEnvironment, OutsideKind, Pool, Spent, read_limits
from trialkit.errors import InputError, ModelError
from trialkit.models import LOCAL, SCRIPTED, ModelSpec, open_model, price_of

from .environment import Venv, find_environment

#: The worker is a package that knows nothing of the one that it lies in.
_RUN = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('worker', run_name='__main__')"


class FastWorkflowKind(OutsideKind):
    summary = "FastWorkflow's retail agent, in an environment of its own; see docs/fastworkflow.md."
    needs: frozenset[Need] = frozenset({"model", "connection"})

    def connect(self, settings: Mapping[str, Any], timeout_s: float, confines: Confines) -> AgentConnection:
        environment = find_environment()
        spec = ModelSpec(name=settings["model"], provider=settings["provider"], api_base=settings["api_base"])
        try:
            model = open_model(spec)  # nothing is sent
        except InputError as error:
            raise InputError(f"--agent fastworkflow asks {spec.name} by itself: {error}") from None
        if spec.name.startswith((SCRIPTED, LOCAL)):
            raise InputError(f"--agent fastworkflow asks its model over HTTP, not {spec.name}; see --api-base")
        keys = _Keys(model.name, confines)
        if not spec.api_base:
            keys.must_be_given()
        return AgentConnection(
            name=model.name,
            endpoint=model.endpoint,
            # with its mode: a run that is resumed after a training would else be half of one and half of the other
            key=f"fastworkflow {environment.version} {'trained' if environment.is_trained else 'stub'} {model.key}",
            channels=Pool(command(environment), keys.environment, read_limits(confines.limits)),
            timeout_s=timeout_s,
            price_known=model.price_known,
            # As LiteLLM, which it asks through, knows them.
            settings={
                "model": model.name,
                "provider": None,
                "api_base": model.endpoint if spec.api_base else None,
            },
            cost=_cost,
            hint=keys.hint,
        )


class _Keys:
    """What the worker finds of a provider in its environment: where its server is, and the key if it is named."""

    def __init__(self, model: str, confines: Confines) -> None:
        self._model = model
        provider = model.partition("/")[0].upper()
        self._key = f"{provider}_API_KEY"
        self.environment = AgentEnvironment(confines.environment, (f"{provider}_BASE_URL", f"{provider}_API_BASE"))

    def must_be_given(self) -> None:
        if lacking := self.environment.hint(self._key):
            raise InputError(f"--agent fastworkflow: it asks {self._model} by itself{lacking}")

    def hint(self, error: ModelError) -> str:
        return self.environment.hint(f"{error} {self._key if error.kind == 'auth' else ''}")


def command(environment: Venv) -> list[str]:
    trained = [str(environment.trained)] if environment.is_trained else []
    return [str(environment.python), "-s", "-E", "-c", _RUN, str(Path(__file__).parent), *trained]


def _cost(spent: Spent) -> float | None:
    """By our price list: LiteLLM's own figure is 0 for a model that it has no price of."""
    provider, _, model = spent.model.partition("/")
    price = price_of(provider, model)
    return None if price is None else price.cost(spent.usage)


KIND = FastWorkflowKind()
