"""tau2's mobile provider, whose customers have a phone of their own to look at and to handle.

One domain, and two suites: what the agent is told of technical support is a manual, or a workflow.
"""

from dataclasses import replace

from trialkit.suites import Usual
from trialkit.suites.tau.common.published import leaderboard
from trialkit.suites.tau.v2.suite import Tau2Suite

from .backstage import AgentBackstage, UserBackstage
from .tools import TelecomTools
from .user_tools import TelecomUserTools

TELECOM = Tau2Suite(
    name="tau2/telecom",
    summary="tau2-bench's mobile provider: the customer has tools too; the policy has a manual.",
    toolkit=TelecomTools,
    backstage=AgentBackstage,
    user_toolkit=TelecomUserTools,
    user_backstage=UserBackstage,
    key_arguments=("line_id", "bill_id", "app_name", "customer_id"),
    policy_parts={"main_policy": "main_policy.md", "tech_support_policy": "tech_support_manual.md"},
    versions={
        "37e562e1ae3242577407e1303b1548bc64e7ea68e37d36173e6747990ceaf8a4": "1.0.1",  # the wheel 26.3 has the same
    },
    checksums={
        "db.toml": "562d647ef9d7df8df91eafd8ee76036e707c8f9e32aaedc4a7fde06975aea2c0",
        "user_db.toml": "4886107ea0c16f8e16d74bef91cfb557de61822afe9361f5a9b241806aea2e4c",
        "main_policy.md": "95943844a0cf11fdf0e2842b483b81d9f9338aa53235712ed131db075d086ed7",
        "tech_support_manual.md": "015a3ee49ec8c199c5e1a059c922081937b92cf3a5ea74fedbc4357816f389ba",
        "tech_support_workflow.md": "64f3ccd13875d14f358b21b9af221dab09e0e7bf5690d0e4322fb91855a43a4d",
        "split_tasks.json": "605b488bb9a6acb3c7f4505240a855fdc8681d09aadb16a8f38b2efcfc5c3aec",
        "tasks.json": "37e562e1ae3242577407e1303b1548bc64e7ea68e37d36173e6747990ceaf8a4",
        "tools.py": "b56a6a760a9a99617244937ad1ff4a12bfc199f91744ec6ceeb5f8faeda0b5f3",
        "user_tools.py": "63d420a503c20b3530a5ecdb1bc31548f37b7aa663a05e4d57d14b892e807e4f",
        "data_model.py": "f7adde5f75c21212c73447315cd4cef2fd1dd8d50c437f14e337b98db05bf3dc",
        "user_data_model.py": "897731e31a5ae1ee2b874c7662452136d579d536532dd65ff03788740658ac94",
    },
    published=(
        leaderboard("Qwen3.5-397B-A17B", 0.978, 0.958, 0.939, 0.921),
        leaderboard("Claude Opus 4.5", 0.923, 0.861, 0.814, 0.781),
        leaderboard("GPT-5.2", 0.897, 0.825, 0.768, 0.719),
    ),
    # As 40 recorded conversations with gpt-5.2 as the user took; the agent's tokens by the length of what it was told.
    usually={
        "agent": Usual(calls=9, input_tokens=8500, output_tokens=90),
        "user": Usual(calls=19, input_tokens=3470, output_tokens=31),
    },
)

WORKFLOW = replace(
    TELECOM,
    name="tau2/telecom-workflow",
    summary="The same provider and tasks; the policy has a workflow in place of the manual.",
    shares="telecom",
    policy_parts={"main_policy": "main_policy.md", "tech_support_policy": "tech_support_workflow.md"},
    published=(),
)
