"""A program of its own: reads a piece of work from a line, writes what it found in a line."""

import faulthandler
import json
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

#: Bytes of memory: some patterns want all that there is.
MOST_MEMORY = 1 << 30
#: Seconds after which it ends itself: nobody is left who would, if trialkit was killed meanwhile.
GIVEN_UP = 10


def search(pattern: str, text: str, flags: int) -> "str | None":
    """What is found."""
    try:
        found = re.search(pattern, text, flags)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{pattern[:200]!r} is no regular expression: {error}") from None
    return None if found is None else found[0][:500]


def faults(schema: Any, value: Any) -> "list[str]":
    """In what a value does not fit a JSON schema, which is known to be one: the first few."""
    from itertools import islice  # noqa: PLC0415 - only here

    from jsonschema.validators import validator_for  # noqa: PLC0415 - 0.1 s to import
    from referencing import Registry  # noqa: PLC0415 - likewise
    from referencing.exceptions import Unresolvable  # noqa: PLC0415 - likewise

    try:
        # a registry of nothing: else a schema's `$ref` would be fetched from the network
        wrong = list(islice(validator_for(schema)(schema, registry=Registry()).iter_errors(value), 5))
    except Unresolvable as error:
        raise ValueError(f"the JSON schema refers to what is not in it: {str(error)[:200]}") from None
    except RecursionError:
        raise ValueError("the JSON schema or the value is nested too deeply") from None
    return [f"{error.json_path}: {error.message[:200]}" for error in wrong]


DOES: "dict[str, Callable[..., object]]" = {"search": search, "faults": faults}


def main() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - there is none on Windows

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    for line in sys.stdin.buffer:
        faulthandler.dump_traceback_later(GIVEN_UP, exit=True)
        work = json.loads(line)
        try:
            said = {"found": DOES[work.pop("do")](**work)}
        except ValueError as error:
            said = {"wrong": str(error)}
        faulthandler.cancel_dump_traceback_later()
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
