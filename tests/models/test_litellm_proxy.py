"""LiteLLM's real proxy, in an environment of its own (576 MB), between our clients and a scripted server."""

import json
import os
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.waiting import wait_for
from tests.models.contract import ALERT
from tests.server import Call, Say, Server
from trialkit.models import Message, ModelSpec, Request, Usage, open_model

VERSION = "1.106.2"
PROXY = ["uv", "tool", "run", "--offline", "--from", f"litellm[proxy]=={VERSION}"]
KEY = "sk-of-the-proxy-0123456789abcdef"
OPENAI, ANTHROPIC = "openai/gpt-4o", "anthropic/claude-sonnet-4-5-20250929"


@pytest.fixture(scope="module")
def program() -> Path:
    asked = subprocess.run(
        [*PROXY, "python", "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True, check=False
    )
    if asked.returncode:
        reason = f"needs LiteLLM's proxy: uv tool run --from 'litellm[proxy]=={VERSION}' python -c ''"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return Path(asked.stdout.strip()) / "bin" / "litellm"


SAID = Say(text="At once.", calls=(Call(name="create_alert", arguments={"commodity": "CORN"}),), input_tokens=1000)


@pytest.fixture(scope="module")
def proxy(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its address. It takes ten seconds to start."""
    folder = tmp_path_factory.mktemp("proxy")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with Server(SAID) as server:
        models = "".join(
            f"  - model_name: {name.partition('/')[2]}\n"
            f"    litellm_params: {{model: {name}, api_base: '{base}', api_key: upstream}}\n"
            for name, base in ((OPENAI, server.openai_base), (ANTHROPIC, server.url))
        )
        config = folder / "config.yaml"
        config.write_text(f"model_list:\n{models}general_settings: {{master_key: {KEY}}}\n")
        command = [str(program), "--config", str(config), "--host", "127.0.0.1", "--port", port]
        quiet = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "PATH": os.environ["PATH"], "HOME": str(folder)}
        with (folder / "log").open("wb") as log, subprocess.Popen(command, env=quiet, stdout=log, stderr=log) as run:
            wait_for(lambda: run.poll() is not None or is_up(port))
            assert run.poll() is None, (folder / "log").read_text()
            try:
                yield f"http://127.0.0.1:{port}"
            finally:
                run.kill()


def is_up(port: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness"):
        return True
    return False


@pytest.mark.parametrize(
    ("name", "path", "variable"), [(OPENAI, "/v1", "OPENAI_API_KEY"), (ANTHROPIC, "", "ANTHROPIC_API_KEY")]
)
async def test_it_answers_in_either_form(
    proxy: str, name: str, path: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, KEY)
    model = open_model(ModelSpec(name=name, api_base=proxy + path))
    request = Request(messages=(Message(role="user", text="Corn?"),), tools=(ALERT,), max_tokens=100)
    try:
        reply = (await model(request)).reply
    finally:
        await model.aclose()
    assert reply.text == "At once."
    assert [(call.name, json.loads(call.arguments)) for call in reply.tool_calls] == [
        ("create_alert", {"commodity": "CORN"})
    ]
    assert reply.stop == "tools"
    assert reply.usage == Usage(input_tokens=1000, output_tokens=7)
    assert reply.cost_told
    price = {OPENAI: (2.5e-6, 1e-5), ANTHROPIC: (3e-6, 1.5e-5)}[name]
    assert reply.cost == pytest.approx(1000 * price[0] + 7 * price[1])
