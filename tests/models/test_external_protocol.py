"""A wire format of somebody else's package: the one among the examples, under the contract and in a run."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.models.conftest import KEY
from tests.models.contract import Contract
from tests.models.reading import read_request
from tests.packages import needs
from tests.server import Server, Thinker, analyst
from trialkit.errors import InputError
from trialkit.models import ModelSpec, open_model

_EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "protocol"


def install(site: Path, point: str) -> None:
    """A package whose protocol is called bedrock."""
    info = site / "bedrock_protocol-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bedrock-protocol\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[trialkit.models]\nbedrock = {point}\n")


def install_the_example(site: Path) -> None:
    points = tomllib.loads((_EXAMPLE / "pyproject.toml").read_text())["project"]["entry-points"]["trialkit.models"]
    install(site, points["bedrock"])


_MODEL = "anthropic.claude-haiku-4-5-20251001-v1:0"


class TestBedrock(Contract):
    protocol = "bedrock"
    model = _MODEL
    knows_seed = False
    tells_model = False
    refused = 403

    @pytest.fixture(autouse=True)
    def installed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        install_the_example(tmp_path)
        monkeypatch.syspath_prepend(str(_EXAMPLE))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", KEY)

    def test_its_address_and_key_are_the_providers_own(self) -> None:
        own = open_model(ModelSpec(name=f"bedrock/{_MODEL}"))
        assert own.key == f"bedrock https://bedrock-runtime.us-east-1.amazonaws.com {_MODEL}"
        needs("litellm", "uv sync --extra litellm")
        through = open_model(ModelSpec(name=f"bedrock/{_MODEL}", client="litellm"))
        assert through.key == f"litellm litellm/bedrock bedrock/{_MODEL}"


@pytest.mark.parametrize(
    ("point", "says"),
    [
        ("no_such_module:X", "cannot be loaded: ModuleNotFoundError"),
        ("json:loads", "is no model: it has no name"),
        ("trialkit.models.protocols.openai:OPENAI", "is no Protocol with that name; see docs/models.md"),
    ],
)
def test_a_package_that_is_broken_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str, says: str
) -> None:
    install(tmp_path, point)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match=says):
        open_model(ModelSpec(name=f"bedrock/{_MODEL}"))
    open_model(ModelSpec(name="openai/gpt-4o"))


def test_one_that_needs_no_key_and_has_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "bare:BARE")
    (tmp_path / "bare.py").write_text(
        "from trialkit.models.protocols.openai import OpenAI\n"
        "class Bare(OpenAI):\n"
        "    name, base, base_variable, key_variable = 'bedrock', '', '', ''\n"
        "BARE = Bare()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match="bedrock has no address of its own; give one: --api-base"):
        open_model(ModelSpec(name="bedrock/mine"))
    assert open_model(ModelSpec(name="bedrock/mine", api_base="http://h/v1")).key == "bedrock http://h/v1 mine"


def test_a_run_with_it(tmp_path: Path) -> None:
    install_the_example(tmp_path)
    program = Program(tmp_path)
    program.env["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{_EXAMPLE}"
    with Server(Thinker(analyst), key=KEY) as server:
        model = ["--model", f"bedrock/{_MODEL}", "--api-base", server.base("bedrock")]
        run = ["run", "commodity", *model, "--judge", "rules", "--ids", "S01", "S02"]
        refused = program(*run, env={"AWS_BEARER_TOKEN_BEDROCK": "another"})
        assert "the API key is not valid" in refused.err
        done = program(*run, env={"AWS_BEARER_TOKEN_BEDROCK": KEY})
        assert done.status == 0, done.text
        asked = read_request(server.requests[-1])
    assert (asked.tools[0][0], asked.key) == ("create_alert", KEY)
    report = program("report", str(program.last_run()), "--format", "json")
    data = json.loads(report.out)
    assert data["metrics"]["cost_usd"]["value"] == pytest.approx(2 * (420 * 1e-6 + 64 * 5e-6))
    assert KEY not in program.last_run().read_bytes().decode(errors="replace")
    assert program("replay", str(program.last_run())).status == 0
