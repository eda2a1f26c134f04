"""What a run file says of its run before the first trial."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from trialkit import __version__
from trialkit.models import refuse_kept_secret
from trialkit.runfile import Header, ModelInUse
from trialkit.settings import RunSettings, flags_of
from trialkit.suites import Content, Peer, Suite
from trialkit.vocabulary import Case

from .setup import Setup


def header_of(setup: Setup, settings: RunSettings, content: Content, peers: Mapping[str, Peer]) -> Header:
    """InputError where a setting holds a secret."""
    suite = setup.suite
    for name, value in settings.to_data().items():
        refuse_kept_secret(value, flags_of(type(settings), name)[0])
    return Header(
        suite=suite.name,
        subject=content.subject,
        settings=settings.to_data(),
        versions={"trialkit": __version__, **content.versions},
        prompts=tuple(setup.prompts.values()),
        models=tuple(
            ModelInUse(role=role, name=peer.name, endpoint=peer.endpoint, key=peer.key) for role, peer in peers.items()
        ),
        measures=suite.measures,
        judges=tuple(setup.judges),
        definition=suite.definition,
    )


def identified(suite: Suite[Any], cases: Sequence[Case]) -> list[Case]:
    """Each with a hash of what is asked and of the truth."""
    return [case if case.identity else replace(case, identity=suite.identity(case)) for case in cases]
