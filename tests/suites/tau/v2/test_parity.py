"""Our environment against recordings of the reference: every call, every changed row, every reward."""

import pytest

from tests.suites.tau.v2.recorded import equal, lines, plain
from trialkit.suites.tau.v2.domain import Tau2Domain


def test_calls(domain: Tau2Domain) -> None:
    wrong: list[object] = []
    count = 0
    for line in lines(domain, "calls"):
        session = domain.open()
        for call in line["calls"]:
            count += 1
            observation = session.call(call["name"], call["kwargs"])
            if not equal(call["observation"], observation) or observation.startswith("Error:") != call["error"]:
                wrong.append((line["id"], call["name"], call["kwargs"], call["observation"], observation))
        if plain(session.changed()) != plain(line["changed"]):
            wrong.append((line["id"], "changed", line["changed"], session.changed()))
    assert not wrong, f"{len(wrong)} of {count} differ, the first: {wrong[0]}"
    assert count > 1000


def test_episodes(domain: Tau2Domain) -> None:
    tasks = {task.id: task for task in domain.tasks("base")}
    wrong = []
    rewards = set()
    for line in lines(domain, "episodes"):
        if "reference_error" in line:
            continue
        score = domain.score(tasks[line["task"]], line["actions"])
        ours = {"reward": score.reward, "db": score.r_actions, "communicate": score.r_outputs}
        ours["action"] = score.parts["ACTION"]
        if ours != {name: line[name] for name in ours}:
            wrong.append((line["id"], line["how"], ours))
        rewards.add(line["reward"])
    assert not wrong
    assert rewards == {0.0, 1.0}


@pytest.mark.parametrize("split", ["base", "train", "test"])
def test_the_ground_truth_earns_the_reward(domain: Tau2Domain, split: str) -> None:
    for task in domain.tasks(split):
        said = {"name": "respond", "kwargs": {"content": " ".join(task.outputs)}}
        score = domain.score(task, [*task.actions, said])  # type: ignore[list-item]  # a literal is no TypedDict to mypy
        assert (score.reward, score.decided) == (1.0, True), (task.id, score.why)
        assert [*score.why.rows, *score.why.missing_outputs, *score.why.unmatched_actions] == []


def test_what_is_unsound_in_the_ground_truth_is_found(retail: Tau2Domain, airline: Tau2Domain) -> None:
    """Each finding is a gold action that fails when it is replayed; the reference skips those with a warning."""
    problems = retail.problems("base")
    assert airline.problems("base") == {}
    assert problems
    for task in retail.tasks("base"):
        session = retail.open(task)
        answers = [(action.action_id, session.call(action.name, action.arguments)) for action in task.gold]
        failing = [action_id for action_id, answer in answers if answer.startswith("Error:")]
        assert [sentence.split()[1].rstrip(",") for sentence in problems.get(task.id, [])] == failing
