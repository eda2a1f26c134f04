"""Azure OpenAI: OpenAI's chat completions at an address of one's own, where a model is the name of a deployment."""

from .base import ModelAddress
from .openai import OpenAI

_API = "/openai/v1"


class Azure(OpenAI):
    name = "azure"
    base = ""
    base_variable = "AZURE_OPENAI_ENDPOINT"
    key_variable = "AZURE_OPENAI_API_KEY"

    def tidy(self, base: str) -> str:
        return base.removesuffix(_API) + _API

    def headers(self, to: ModelAddress) -> dict[str, str]:
        return {"api-key": to.key} if to.key else {}

    def is_openais(self, to: ModelAddress) -> bool:  # noqa: ARG002 - any of them
        return True


AZURE = Azure()
