"""The same cases and the same subject before another user; runs with different users are not compared by mistake."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.run_files import case, ended, verdict, write_run
from trialkit import compare
from trialkit.errors import InputError
from trialkit.runfile import ModelInUse, RunFile

SUITE = """\
system: You renew books.
greeting: Hello.
user: You want to renew {{ book }}.
judges:
  renewed: {contains: "renewed"}
cases:
  - {id: a, book: The Salt Road}
  - {id: b, book: Slow Rivers}
  - {id: c, book: A Map of Bees}
"""
AGENT = {"replies": [{"system": "You renew", "when": "Renew", "text": "It is renewed."}, {"text": "Which book?"}]}
USERS = {
    "patient": [{"when": "Hello", "text": "Renew my book."}, {"text": "Thanks. ###STOP###"}],
    "hasty": [{"text": "I am off. ###STOP###"}],
    "cold": [{"when": "Hello", "text": "Renew my book."}, {"text": "###STOP###"}],
}


@pytest.fixture
def before(trialkit: Command, tmp_path: Path) -> Path:
    (tmp_path / "books.yaml").write_text(SUITE)
    (tmp_path / "agent.json").write_text(json.dumps(AGENT))
    for name, replies in USERS.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"replies": replies}))
    models = ("--model", "scripted:agent.json", "--user-model", "scripted:patient.json")
    done = trialkit("run", "books.yaml", *models, "--trials", 2, "--min-pass", 0.5, "--name", "first")
    assert done.status == 0, done.err
    return newest(tmp_path)


def newest(folder: Path) -> Path:
    return max((folder / "eval_results").glob("*.trial"))


def test_the_offset_is_told_and_the_run_is_one_like_any_other(trialkit: Command, tmp_path: Path, before: Path) -> None:
    done = trialkit("bridge", before, "--user-model", "scripted:hasty.json")
    assert done.status == 0, done.err  # the first run's gate is not this one's
    told = " ".join(done.out.split())
    assert (
        "With scripted:hasty.json the pass rate is 100 points lower than with scripted:patient.json [-100," in told
    ), told
    assert "over 3 paired cases" in told
    with RunFile(before) as one, RunFile(newest(tmp_path)) as other:
        kept = ("model", "trials", "user_prompt", "seed")
        assert {name: one.info().settings[name] for name in kept} == {
            name: other.info().settings[name] for name in kept
        }
        assert other.counts().failed == 6
    replayed = trialkit("replay", newest(tmp_path))
    assert replayed.status == 0, replayed.err
    compared = trialkit("compare", before, newest(tmp_path))
    assert compared.status == 0, compared.err
    assert "DIFFERENT USERS" in compared.out


def test_the_agent_is_asked_anew_where_it_hears_the_same(trialkit: Command, tmp_path: Path, before: Path) -> None:
    done = trialkit("bridge", before, "--user-model", "scripted:cold.json")
    assert done.status == 0, done.err
    assert "exactly the same as" in " ".join(done.out.split())
    with RunFile(newest(tmp_path)) as other:
        assert {call.source for call in other.calls()} == {"live"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "its user is scripted:patient.json; name another with --user-model"),
        (("--user-model", "scripted:patient.json"), "its user is scripted:patient.json; name another"),
        (("--user-modl", "x"), "--user-modl"),
    ],
)
def test_what_is_missing_or_misspelt_is_said(
    trialkit: Command, before: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = trialkit("bridge", before, *arguments)
    assert done.status == 2
    assert said in done.err


def test_a_run_without_a_user_has_none_to_replace(trialkit: Command) -> None:
    assert trialkit("run", "commodity", "--model", "baseline").status == 0
    done = trialkit("bridge", "latest", "--user-model", "openai/gpt-5.2")
    assert done.status == 2
    assert "commodity has no user that a model plays" in done.err


def written(folder: Path, name: str, *, subject: str, user: str | None) -> Path:
    models = [ModelInUse(role="user", name=user, endpoint="http://u", key=user)] if user else []
    trials = [(case("a"), [ended(verdict("pass"))]), (case("b"), [ended(verdict("fail"))])]
    settings = {"model": subject}
    return write_run(folder / f"{name}.trial", trials, subject=subject, settings=settings, models=models)


def test_runs_with_different_users_are_compared_only_by_force(trialkit: Command, tmp_path: Path) -> None:
    one = written(tmp_path, "one", subject="openai/a", user="openai/gpt-4o")
    other = written(tmp_path, "other", subject="openai/b", user="openai/gpt-5.2")
    refused = trialkit("compare", one, other)
    assert refused.status == 2
    assert f"trialkit bridge {one} --user-model openai/gpt-5.2" in refused.err
    with pytest.raises(InputError, match="bridge"):
        compare(one, other)
    forced = trialkit("compare", "--force", one, other)
    assert forced.status == 0, forced.err
    assert "DIFFERENT USERS: openai/gpt-4o in A, openai/gpt-5.2 in B" in " ".join(forced.out.split())
    assert compare(one, other, force=True).warnings


@pytest.mark.parametrize(("subject", "user"), [("openai/a", "openai/gpt-5.2"), ("openai/b", None)])
def test_a_bridge_and_an_untold_user_are_no_reason_to_refuse(
    trialkit: Command, tmp_path: Path, subject: str, user: str | None
) -> None:
    one = written(tmp_path, "one", subject="openai/a", user="openai/gpt-4o")
    done = trialkit("compare", one, written(tmp_path, "other", subject=subject, user=user))
    assert done.status == 0, done.err
