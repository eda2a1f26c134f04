"""tau2's airline."""

from trialkit.suites import Usual
from trialkit.suites.tau.common.published import leaderboard
from trialkit.suites.tau.v2.suite import Tau2Suite

from .tools import AirlineTools

SUITE = Tau2Suite(
    name="tau2/airline",
    summary="tau2-bench's airline: conversations with a simulated user, tools and a database.",
    toolkit=AirlineTools,
    key_arguments=("reservation_id",),
    versions={
        "40d692b3fca780f46b56d48b447fd8db79a653f216667b8ed7c1a88380544532": "26.3",
        "ccd8ba737b4cc371415af70151187788f728d6108d0916e73bb4317b40542052": "1.0.1",
    },
    checksums={
        "db.json": "1af9fea6e03ca7ca15a22bb3fcaf3e351393e3fc9070b6777947da8996f7531b",
        "policy.md": "10dc0525421521208be39cee235bba84a16e2bcba9899eb93d92cd81d2f62fc4",
        "split_tasks.json": "b22ced4d9a9850ac9aea31c53bdcb6d6009058140bd9acc7db37c1d36222ba8b",
        "tasks.json": "40d692b3fca780f46b56d48b447fd8db79a653f216667b8ed7c1a88380544532",
        "tools.py": "2f4a03aee111ed05e09e4c346605ab3f6070aa7b3e170fef8fc80dbcd881dd35",
        "data_model.py": "2606eed90ad57241562ca3f7123d76f24dd44b4be7ba55b445b693777084d22e",
    },
    published=(
        leaderboard("Claude Opus 4.5", 0.84, 0.777, 0.735, 0.7),
        leaderboard("GPT-5.2", 0.83, 0.783, 0.75, 0.72),
    ),
    # As many turns as in tau-bench; policy, tools and rules for the user are as much longer.
    usually={
        "agent": Usual(calls=12, input_tokens=6420, output_tokens=70),
        "user": Usual(calls=7, input_tokens=1100, output_tokens=26),
    },
)
