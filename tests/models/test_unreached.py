"""Servers that are not reached at all: what is said, and whether it is tried again."""

import asyncio
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from tests.models.conftest import Waits
from tests.models.contract import HELLO
from trialkit.errors import ModelError
from trialkit.models import ModelSpec, Traffic, open_model


async def fault(base: str, waits: Waits) -> ModelError:
    model = open_model(ModelSpec(name="openai/gpt-4o", api_base=base, retries=1), Traffic(sleep=waits))
    with pytest.raises(ModelError) as caught:
        await model(HELLO)
    await model.aclose()
    return caught.value


async def test_a_name_that_nobody_knows_may_be_known_in_a_moment(waits: Waits) -> None:
    error = await fault("http://no-such-host.invalid/v1", waits)
    assert (error.kind, error.attempts) == ("unreachable", 2)
    assert "the host of http://no-such-host.invalid/v1 is not found" in str(error)


async def test_a_proxy_that_is_not_there_is_named_as_one(waits: Waits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    error = await fault("http://example.invalid/v1", waits)
    assert (error.kind, "no connection to the proxy before http://example.invalid/v1" in str(error)) == (
        "unreachable",
        True,
    )


@pytest.fixture
def unsigned(tmp_path: Path) -> ssl.SSLContext:
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*make, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


async def test_a_certificate_that_nobody_signed_is_not_tried_again(waits: Waits, unsigned: ssl.SSLContext) -> None:
    served = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0, ssl=unsigned)
    async with served:
        port = served.sockets[0].getsockname()[1]
        error = await fault(f"https://localhost:{port}/v1", waits)
    assert (error.kind, error.attempts) == ("tls", 1)
    assert "self-signed certificate); name the file" in str(error)
    assert "SSL_CERT_FILE" in str(error)
