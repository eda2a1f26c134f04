"""Which values are secret: by the name that they have, or by their shape. docs/runfile.md says the rule."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

_WORD = "(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|JWT)S?"
_SHORT_WORD = "(?:AUTH|AUTHORIZATION|PAT|PASS|PWD|DSN|SAS|BEARER|CONNECTION_STRING)"
_NAME = re.compile(rf"(?:{_WORD}|(?<![^_]){_SHORT_WORD})(?:_?\d+|_[A-Z0-9_]{{1,80}})?$", re.IGNORECASE)
#: `…_KEY_FILE` says where a secret is, `PWD` is a folder.
_NO_SECRET = re.compile(
    r"(?:OLD)?PWD|.*_(?:FILE|PATH|DIR|URL|URI|HOST|PORT|NAME|ID|TYPE|MODE|SOCK|LIMIT|SIZE|REGION|ENDPOINT|VERSION|TTL)",
    re.IGNORECASE,
)
#: What a secret looks like under any name.
_SHAPE = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:sk|pk|rk)[-_](?:\w{1,30}-){0,5}\w{16}[\w-]*|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}"
    r"|hf_\w{20,}|gsk_\w{20,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|npm_\w{20,}|pypi-[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]+"
    r"|eyJ[\w-]{8,500}+\.[\w-]{8,}(?:\.[\w-]*)?)",
    re.ASCII,
)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_PRIVATE = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)(?:-----END|\Z)", re.DOTALL)
#: `Password=…;` in a connection string, `?api_key=…` in an address.
_NAMED_PART = re.compile(
    r"(?:password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key|accountkey|sig)=([^;&\s]+)", re.IGNORECASE
)
_PLACEHOLDERS = frozenset(
    {"not-needed", "not-used", "no-key-required", "sk-no-key-required", "lm-studio", "your-api-key"}
)
_SHORTEST = 6
#: A word or a number from so many characters on: shorter ones turn up in ordinary text.
_LONG_WORD = 12
_LONG_PART = 16


def counts(value: str) -> bool:
    """Whether it is long and odd enough that hiding it makes no holes in ordinary text."""
    value = "".join(value.split())
    plain = value.isalpha() or value.isdecimal() or not any(map(str.isalnum, value))
    return len(value) >= (_LONG_WORD if plain else _SHORTEST) and value.lower() not in _PLACEHOLDERS


def of_environment(variables: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Name and value; a variable may hold several, such as an address and the password in it."""
    for name, value in variables.items():
        for secret in of_variable(name, value):
            yield name, secret


def of_variable(name: str, value: str) -> Iterator[str]:
    value = value.strip()
    yield from in_text(value)
    if _ADDRESS.match(value):
        yield from _of_address(value, named=is_secret_name(name))
    elif name.upper().endswith("_PROXY") and "@" in value:
        yield from _of_address(f"http://{value}", named=False)
    elif is_secret_name(name) and not _is_path(value):
        yield from of_credential(value)


def is_secret_name(name: str) -> bool:
    return _NAME.search(name) is not None and _NO_SECRET.fullmatch(name) is None


def of_credential(value: str) -> Iterator[str]:
    """The value; of `Bearer TOKEN`, `user:password` and of several lines what is secret in it alone, too."""
    yield value
    scheme, _, token = value.partition(" ")
    if scheme.lower() in {"bearer", "basic", "token", "apikey"}:
        yield token.strip()
    user, colon, password = value.partition(":")
    if colon and user.isidentifier():
        yield password
    lines = value.split()
    if len(lines) > 1:
        yield from (line for line in lines if len(line) >= _LONG_PART)


def in_text(text: str) -> Iterator[str]:
    """What has the shape of a secret, wherever it stands."""
    for found in _SHAPE.findall(text):
        yield found
        if found.startswith("eyJ"):
            yield from (part for part in found.split(".")[1:] if len(part) >= _LONG_PART)
    yield from _NAMED_PART.findall(text)
    for body in _PRIVATE.findall(text.replace("\\n", "\n")):
        yield from (line for line in body.split() if len(line) >= _LONG_PART)


def shows_secret(word: str) -> bool:
    """Whether a key, or an address with a password, stands in a word of a command as anybody can see."""
    return _SHAPE.search(word) is not None or any(map(_password, (word, word.partition("=")[2])))


def _password(address: str) -> str:
    """Empty: there is none, or a shell's variable."""
    try:
        found = urlsplit(address).password if _ADDRESS.match(address) else None
    except ValueError:
        return ""
    return "" if found is None or found.startswith("$") else found


def keys_in_address(url: str) -> Iterator[str]:
    """The parts of its path that can only be keys."""
    for part in urlsplit(url).path.split("/"):
        if _SHAPE.fullmatch(part) or _is_random(part):
            yield part


def _of_address(value: str, *, named: bool) -> Iterator[str]:
    try:
        parts = urlsplit(value)
    except ValueError:
        return
    user, password = parts.username or "", parts.password or ""
    if not password and (named or _is_random(user)):
        password = user
    if password:
        yield from (value, password, unquote(password))
    yield from keys_in_address(value)


def _is_random(part: str) -> bool:
    """Small and large letters and digits, mixed and many; a hash or a UUID, which are mere names, are not."""
    kinds = (str.islower, str.isupper, str.isdigit)
    return len(part) >= 20 and all(any(map(kind, part)) for kind in kinds)


def _is_path(value: str) -> bool:
    try:
        return value.startswith(("/", "~", "./")) and Path(value).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False
