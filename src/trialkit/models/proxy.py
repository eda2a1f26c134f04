"""Which proxy a request goes through."""

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names, never for this machine itself."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    named = getproxies().get(parts.scheme)
    if named is None or host in {"localhost", "127.0.0.1", "::1"} or proxy_bypass(host):
        return None
    return named if "://" in named else f"http://{named}"
