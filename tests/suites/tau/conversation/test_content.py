"""Which tasks a run is made of, and what is wrong with the input before anything is spent."""

from pathlib import Path
from typing import Any

import pytest

from tests.suites.tau.conversation.stage import TASKS
from tests.suites.tau.domains import TABLES, write_plain
from tests.suites.tau.v2.tiny import GUIDELINES, Tiny, task
from trialkit.errors import InputError
from trialkit.runfile import Prompt
from trialkit.suites import Content, get_suite

HELLO = TASKS[1]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write_plain(tmp_path / "shop", tasks_test=[TASKS[0], *[HELLO] * 9], tasks_dev=[HELLO])


def load(shop: Path, **values: Any) -> Content:
    suite = get_suite("tau-bench/retail")
    settings = suite.settings.model_validate({"data_dir": shop, **values})
    content = suite.content(settings)
    suite.prompts(settings)
    return content


def ids(content: Content) -> list[str]:
    return [case.id for case in content.cases]


def test_a_case_holds_what_explains_a_failure(shop: Path) -> None:
    case = load(shop).cases[0]
    assert (case.id, case.group) == ("0", "test")
    assert case.title == "You are Ada. Cancel your pending order and ask what you get back."
    assert case.data == {"split": "test", "id": "0", **TASKS[0]}


def test_a_long_instruction_makes_a_short_title(tmp_path: Path) -> None:
    shop = write_plain(tmp_path / "shop", tasks_test=[{**HELLO, "instruction": "You are\n Ada. " + "Talk. " * 50}])
    title = load(shop).cases[0].title
    assert len(title) == 80
    assert title.startswith("You are Ada. Talk.")
    assert title.endswith("…")


def test_tasks_are_chosen_by_id_by_place_and_by_split(shop: Path) -> None:
    assert ids(load(shop)) == [str(number) for number in range(10)]
    assert ids(load(shop, task_ids=("7,2", "2", "4"))) == ["7", "2", "4"]
    assert ids(load(shop, start_index=3, end_index=5)) == ["3", "4"]
    assert ids(load(shop, start_index=8)) == ["8", "9"]
    dev = load(shop, task_split="dev")
    assert (ids(dev), dev.cases[0].group) == (["0"], "dev")


def test_each_task_is_tried_as_often_as_asked_for(shop: Path) -> None:
    trials = [(trial.case_id, trial.number) for trial in load(shop, task_ids="1,2", trials=2).trials]
    assert trials == [("1", 1), ("2", 1), ("1", 2), ("2", 2)]


def test_shuffling_is_repeatable_and_follows_the_seed(shop: Path) -> None:
    def order(**values: Any) -> list[str]:
        return [trial.case_id for trial in load(shop, shuffle=True, **values).trials]

    assert order() == order() == order(seed=10)
    assert order(seed=3) != order()
    assert sorted(order()) == [str(number) for number in range(10)]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"task_ids": ""}, "--task-ids '': names no task"),
        ({"task_ids": (" , ",)}, "names no task"),
        ({"task_ids": "3,99"}, "has no task 99; it has 0, 1, 2, 3, 4, 5, 6, 7, 8, 9"),
        ({"task_split": "train"}, "has no split 'train'; it has"),
        ({"start_index": 10}, "has 10 tasks"),
        ({"start_index": 5, "end_index": 5}, "no task lies between"),
        ({"task_ids": "1", "start_index": 1}, "leave --start-index and --end-index out"),
        ({"agent": "reakt"}, "there is no agent 'reakt'; did you mean react"),
        ({"agent": "act", "use_reasoning": True}, "--use-reasoning asks for the agent react"),
        ({"user_prompt": "v9"}, "there is no user prompt 'v9'"),
        ({"data_dir": "/nowhere"}, "trialkit data fetch tau-bench"),
    ],
)
def test_bad_input_is_named_with_its_fix(shop: Path, values: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as caught:
        load(shop, **values)
    assert says in str(caught.value)


def test_ground_truth_that_is_off_is_told_and_fatal_only_with_strict(tmp_path: Path) -> None:
    broken = {**HELLO, "actions": [{"name": "fly", "kwargs": {}}]}
    shop = write_plain(tmp_path / "shop", tasks_test=[HELLO, broken])
    (notice,) = load(shop).notices
    assert "1 of 2 tasks" in notice
    assert f"`trialkit data check tau-bench/retail --data-dir {shop}`" in notice
    with pytest.raises(InputError, match=r"task 1: .*fly.*not a tool"):
        load(shop, strict=True)
    assert not load(shop, strict=True, task_ids="0").notices


MALFORMED = [
    {"instruction": "You are Ada."},
    {**HELLO, "actions": 3},
    {**HELLO, "actions": [{"name": "think"}]},
    {**HELLO, "outputs": [7]},
    3,
]


@pytest.mark.parametrize("broken", MALFORMED)
def test_a_task_that_cannot_be_read_is_left_out_and_keeps_its_place(tmp_path: Path, broken: Any) -> None:
    shop = write_plain(tmp_path / "shop", tasks_test=[HELLO, broken, HELLO, HELLO])
    found = load(shop)
    assert ids(found) == ["0", "2", "3"]
    assert {trial.case_id for trial in found.trials} == {"0", "2", "3"}
    (notice,) = found.notices
    assert "1 of 4 tasks cannot be read and are left out (1)" in notice
    assert ids(load(shop, start_index=1, end_index=3)) == ["2"]
    assert not load(shop, task_ids="0,2").notices
    for values in ({"task_ids": "0,1"}, {"start_index": 1, "end_index": 2}):
        with pytest.raises(InputError, match=r"the task 1 of the split test cannot be read: .*tasks_test\.json"):
            load(shop, **values)
    with pytest.raises(InputError, match=r"1 of 4 tasks, and --strict(.|\n)*task 1: "):
        load(shop, strict=True)


def test_a_split_without_tasks_is_told_so(tmp_path: Path) -> None:
    shop = write_plain(tmp_path / "shop", tasks_dev=[])
    with pytest.raises(InputError, match="the split dev has no tasks; choose another with --task-split: dev, test"):
        load(shop, task_split="dev")


def test_the_data_is_told_apart_by_its_digest(tmp_path: Path, shop: Path) -> None:
    other = write_plain(tmp_path / "other", tasks_test=[HELLO])
    assert load(shop).versions == load(shop).versions
    assert load(shop).versions != load(other).versions


def test_another_database_is_other_data(tmp_path: Path, shop: Path) -> None:
    users = {"ada_1": TABLES["users"]["ada_1"] | {"email": "ada@example.org"}}
    other = write_plain(tmp_path / "other", tasks_test=[TASKS[0], *[HELLO] * 9], users=users)
    assert load(shop).versions != load(other).versions


def tau2(folder: Path, *tasks: dict[str, Any], **values: Any) -> Content:
    root = Tiny(folder).write(*tasks)
    suite = get_suite("tau2/retail")
    return suite.content(suite.settings.model_validate({"data_dir": root, **values}))


def tau2_prompts(folder: Path, *tasks: dict[str, Any], **values: Any) -> dict[str, Prompt]:
    root = Tiny(folder).write(*tasks)
    suite = get_suite("tau2/retail")
    prompts = suite.prompts(suite.settings.model_validate({"data_dir": root, **values}))
    return {prompt.role: prompt for prompt in prompts}


def test_what_tau2_tells_its_user_is_kept_with_the_prompts(tmp_path: Path) -> None:
    assert tau2_prompts(tmp_path, task("t"))["user guidelines"].text == GUIDELINES


def test_a_tau2_case_holds_its_scenario_and_criteria(tmp_path: Path) -> None:
    (case,) = tau2(tmp_path, task("t")).cases
    assert (case.id, case.group) == ("t", "base")
    assert case.data["scenario"]["instructions"]["reason_for_call"] == "Cancel #W1."
    assert case.data["criteria"]["actions"][0]["name"] == "cancel_pending_order"


def test_a_tau2_task_in_the_middle_of_a_conversation_is_refused(tmp_path: Path) -> None:
    history = {"message_history": [{"role": "user", "content": "Hello?"}]}
    with pytest.raises(InputError, match="the tasks u begin in the middle of a conversation"):
        tau2(tmp_path, task("t"), task("u", initial_state=history))
    assert ids(tau2(tmp_path, task("t"), task("u", initial_state=history), task_ids="t")) == ["t"]


def test_assertions_without_a_judge_are_told(tmp_path: Path) -> None:
    criteria = {"actions": [], "nl_assertions": ["It is kind."], "reward_basis": ["NL_ASSERTION"]}
    asserting = task("t", evaluation_criteria=criteria)
    (notice,) = tau2(tmp_path, asserting).notices
    assert "1 tasks count natural-language assertions" in notice
    assert "judge" in tau2_prompts(tmp_path, asserting, judge_model="openai/judge")
