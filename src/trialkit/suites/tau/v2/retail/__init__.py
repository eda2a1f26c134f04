"""tau2's shop."""

from trialkit.suites import Usual
from trialkit.suites.tau.common.published import leaderboard
from trialkit.suites.tau.v2.suite import Tau2Suite

from .tools import RetailTools

SUITE = Tau2Suite(
    name="tau2/retail",
    summary="tau2-bench's shop: conversations with a simulated user, tools and a database.",
    toolkit=RetailTools,
    key_arguments=("order_id",),
    versions={
        "76e1fa649a359bef2d2fd30eae834b99d261d84e2e5d364856f6632fdf778dfd": "26.3",
        "8e03ebce7901bd6218e7a7dc3105faa9324091a68058f7fe61c65262868812e8": "1.0.1",
    },
    checksums={
        "db.json": "413a65160adbdb5fde0ffc0015c49b6d70250b10c18128de169b597af7766765",
        "policy.md": "2c9652afbce57d6e087768d37cda64d31c53d50b3e3225cfdb791bac66466467",
        "split_tasks.json": "ed0580ec52575b63fbf76568af42490da6ee7783ecb4aa81af46961291358f20",
        "tasks.json": "76e1fa649a359bef2d2fd30eae834b99d261d84e2e5d364856f6632fdf778dfd",
        "tools.py": "03baf675d9c0c8c3edafa2c677ba4ad0e346541e8bdd91c9908e66fed8d9e1cf",
        "data_model.py": "4902fdc45742a685d5ffa6b3f6cad086acc43a508313d7b2803572149253a8ba",
    },
    published=(
        leaderboard("Qwen3.5-397B-A17B", 0.844, 0.744, 0.665, 0.597),
        leaderboard("GPT-5.2", 0.816, 0.696, 0.599, 0.518),
        leaderboard("Claude Opus 4.5", 0.796, 0.674, 0.588, 0.518),
        leaderboard("Gemini 3 Flash", 0.768, 0.659, 0.579, 0.518),
        leaderboard("Claude Sonnet 4.5", 0.724, 0.575, 0.474, 0.395),
    ),
    # As many turns as in tau-bench; policy, tools and rules for the user are as much longer.
    usually={
        "agent": Usual(calls=14, input_tokens=6470, output_tokens=75),
        "user": Usual(calls=7, input_tokens=1160, output_tokens=20),
    },
)
