"""The keys and the servers that the environment names. What a key is nobody is told, only that it is there."""

import os
from urllib.parse import urlsplit

from trialkit.errors import InputError

from .names import checked_base
from .protocols import get_protocol, protocol_names
from .proxy import proxy_for


def named_keys() -> dict[str, bool]:
    """Variable → whether it holds what can be a key."""
    known = {get_protocol(name).key_variable for name in protocol_names()}
    names = (name for name in os.environ if name in known or name.endswith("_API_KEY"))
    return {name: value.isascii() and value.isprintable() for name in sorted(names) if (value := _value(name))}


def named_servers() -> list[str]:
    """The variables that name another address than the provider's own; several protocols may heed one."""
    return sorted(name for name in {get_protocol(one).base_variable for one in protocol_names()} if _value(name))


def server_at(variable: str) -> str:
    """Without its path, which may hold a key. Raises `InputError`."""
    parts = urlsplit(checked_base(_value(variable), variable))
    return f"{parts.scheme}://{parts.netloc}"


async def server_fault(variable: str, timeout_s: float) -> str:
    """Why it cannot be reached; empty: it answers."""
    import aiohttp  # noqa: PLC0415 - it takes longer to load than most commands may

    try:
        server = server_at(variable)  # whatever it says to this, it is there
        limit = aiohttp.ClientTimeout(total=timeout_s)
        async with (
            aiohttp.ClientSession(timeout=limit) as session,
            session.get(server, proxy=proxy_for(server), allow_redirects=False),
        ):
            return ""
    except InputError as error:
        return str(error)
    except TimeoutError:
        return f"no answer within {timeout_s:g} s"
    except (aiohttp.ClientError, OSError) as error:
        return f"no connection ({type(error).__name__})"


def _value(name: str) -> str:
    return os.environ.get(name, "").strip()
