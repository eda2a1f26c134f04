"""`trialkit agents`: who can be put on trial, and whether an outside agent keeps to the protocol."""

import asyncio

import click

from trialkit.agents import PREFIXES, Confines, agent_names, get_agent
from trialkit.agents.fastworkflow import VERSION, Venv, install, train
from trialkit.errors import InputError
from trialkit.models import ModelSpec
from trialkit.settings import DEFAULT_MODEL

from .finish import GATE_NOT_MET
from .groups import Group
from .write import list_names, summaries

_OUTSIDE = {
    "stdio:COMMAND": "Your program, over its stdin and stdout; see docs/agents.md.",
    "http://HOST/PATH": "Your agent at that address, with the same messages.",
    "python:FILE:NAME": "Your function or class, in trialkit's own process.",
    "mcp:COMMAND": "Your program, which has its tools over MCP.",
    "a2a:URL": "Your agent that speaks A2A 1.0.",
}


@click.group(cls=Group, invoke_without_command=True, epilog="Example: trialkit agents check 'stdio:python agent.py'")
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the agents that are installed, for --agent."""
    if ctx.invoked_subcommand is not None:
        return
    click.echo(list_names(summaries(agent_names(), get_agent) | _OUTSIDE))


@command.command("install", epilog="Example: trialkit agents install fastworkflow")
@click.argument("name", type=click.Choice(["fastworkflow"]))
@click.option("--slim", is_flag=True, help="Without torch, 300 MB: untrained, in the mode `stub`.")
@click.option("--version", default=VERSION, show_default=True, help="Another version, at your own risk.")
def install_command(name: str, *, slim: bool, version: str) -> None:  # noqa: ARG001 - there is one so far
    """Install an agent that runs in an environment of its own, in the user's cache. Safe to run again."""
    environment = install(version, slim=slim, say=click.echo)
    click.echo(f"next: trialkit run SUITE --agent fastworkflow ({environment.folder.name})")


@command.command("train", epilog="Example: trialkit agents train fastworkflow --model openai/gpt-5-mini")
@click.argument("name", type=click.Choice(["fastworkflow"]))
@click.option("--model", default=DEFAULT_MODEL, show_default=True, help="Writes the examples that it learns from.")
@click.option("--provider", help="Provider of a model given by its bare name.")
@click.option("--api-base", help="URL of an OpenAI-compatible server.")
@click.option("--version", default=VERSION, show_default=True, help="Which installed version.")
@click.option("--agent-env", multiple=True, help="Variables that it is given besides, such as HF_TOKEN or HF_HOME.")
def train_command(
    name: str,  # noqa: ARG001 - there is one so far
    *,
    model: str,
    provider: str | None,
    api_base: str | None,
    version: str,
    agent_env: tuple[str, ...],
) -> None:
    """Train an agent's own models, where a hub and a model are at hand."""
    spec = ModelSpec(name=model, provider=provider, api_base=api_base)
    train(Venv(version=version, slim=False), spec, click.echo, agent_env)


@command.command("check", epilog="Example: trialkit agents check 'stdio:python agent.py' --timeout 20")
@click.argument("name", metavar="AGENT")
@click.option("--model", default=DEFAULT_MODEL, show_default=True, help="Told to the agent, as in a run.")
@click.option("--provider", help="Likewise.")
@click.option("--api-base", help="Likewise.")
@click.option("--agent-env", multiple=True, help="Variables that its process is given: NAME, or NAME=VALUE.")
@click.option("--agent-limit", multiple=True, help="What it may take: memory=2G, cpu=60, files=256, wall=300.")
@click.option("--timeout", default=60.0, show_default=True, help="Seconds to wait for each answer.")
@click.pass_context
def check_command(
    ctx: click.Context,
    name: str,
    model: str,
    provider: str | None,
    api_base: str | None,
    timeout: float,
    agent_env: tuple[str, ...],
    agent_limit: tuple[str, ...],
) -> None:
    """Try an agent of yours, and say what is wrong: stdio:COMMAND, http://…, python:FILE:NAME, mcp:COMMAND, a2a:URL.

    Exit status 1 if something is.
    """
    from trialkit.agents.outside import OutsideKind, check  # noqa: PLC0415 - the other commands need none of it

    if not 0 < timeout < float("inf"):
        raise InputError(f"--timeout {timeout:g}: must be a number of seconds above 0")
    kind = get_agent(name) if name.startswith(PREFIXES) else None
    if not isinstance(kind, OutsideKind):
        raise InputError(f"{name}: only agents of yours can be checked: {', '.join(_OUTSIDE)}")
    settings = {"model": model, "provider": provider, "api_base": api_base, "temperature": 0.0}
    settings |= {"max_tokens": None, "seed": None, "timeout": timeout, "retries": 3}
    confines = Confines(environment=agent_env, limits=agent_limit)
    found = asyncio.run(check(kind, settings, timeout, confines))
    for one in found:
        click.echo(f"{one.result:<5}  {one.text}")
    wrong = any(one.result == "wrong" for one in found)
    click.echo("the agent does not keep to the protocol" if wrong else "the agent keeps to the protocol")
    ctx.exit(GATE_NOT_MET if wrong else 0)
