"""tau-bench's airline."""

from trialkit.suites import Usual
from trialkit.suites.tau.common.published import fastworkflow, readme
from trialkit.suites.tau.v1 import tools as of_both
from trialkit.suites.tau.v1.suite import TauBenchSuite

from . import tools

SUITE = TauBenchSuite(
    name="tau-bench/airline",
    summary="tau-bench's airline: conversations with a simulated user, tools and a database.",
    toolbox=of_both.Toolbox(of_both, tools),
    key_arguments=("reservation_id",),
    checksums={
        "flights": "6d591a3d2fb99ed9429396422f75a774a92a802fe9bb1d125e31e522b2e34406",
        "reservations": "76f717c86cede954f634a0b1e950bfa7a25323c13e805eae00cb7d452176f3b5",
        "users": "3da4f116fad48b9db37a5d6037c225dc61860a1bec1a41bb5ae25f638a36e3e1",
    },
    published=(
        fastworkflow("Claude Sonnet 4", 0.84),
        fastworkflow("Claude Opus 4.1", 0.80),
        fastworkflow("GPT-OSS-20B", 0.78),
        fastworkflow("Mistral-7B", 0.60),
        fastworkflow("Qwen3-14B", 0.54),
        readme("TC (claude-3-5-sonnet-20241022)", 0.460, 0.326, 0.263, 0.225),
        readme("TC (gpt-4o)", 0.420, 0.273, 0.220, 0.200),
        readme("Act (gpt-4o)", 0.365, 0.217, 0.160, 0.140),
        readme("TC (claude-3-5-sonnet-20240620)", 0.360, 0.224, 0.169, 0.139),
        readme("ReAct (gpt-4o)", 0.325, 0.233, 0.185, 0.160),
        fastworkflow("Qwen3-4B", 0.32),
        readme("TC (gpt-4o-mini)", 0.225, 0.140, 0.110, 0.100),
    ),
    # Of 200 recorded conversations of gpt-4o's, each call with all before it; a token is taken for four characters.
    usually={
        "agent": Usual(calls=12, input_tokens=5540, output_tokens=70),
        "user": Usual(calls=7, input_tokens=960, output_tokens=26),
    },
)
