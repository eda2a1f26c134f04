"""tau-bench's shop."""

from trialkit.suites import Usual
from trialkit.suites.tau.common.published import fastworkflow, readme
from trialkit.suites.tau.v1 import tools as of_both
from trialkit.suites.tau.v1.suite import TauBenchSuite

from . import tools

SUITE = TauBenchSuite(
    name="tau-bench/retail",
    summary="tau-bench's shop: conversations with a simulated user, tools and a database.",
    toolbox=of_both.Toolbox(of_both, tools),
    key_arguments=("order_id",),
    checksums={
        "orders": "db372c34a4226c830305cb78feefbeaf79897de300f67db4c0b8214e205d194b",
        "products": "b739a976c91e39561b40e7064f8f65572978e7cbb5a72a5bf0f2bedfa6f584dc",
        "users": "c712a9b61256070e5c0dc676645b93d6f5ec2dc8a80182fab312d9de51cd0582",
    },
    published=(
        fastworkflow("Claude Opus 4.1", 0.9217),
        fastworkflow("Claude Sonnet 4", 0.913),
        # Imported and scored again, which is a test of ours: tests/suites/tau/inout/test_calls_apart.py.
        fastworkflow("GPT-OSS-20B", 0.8347, 0.714, 0.53, remark="of its traces 96 of 115 were paid, 74 by this rule"),
        fastworkflow("Mistral-7B", 0.7043),
        readme("TC (claude-3-5-sonnet-20241022)", 0.692, 0.576, 0.509, 0.462),
        readme("TC (claude-3-5-sonnet-20240620)", 0.626, 0.506, 0.435, 0.387),
        readme("TC (gpt-4o)", 0.604, 0.491, 0.430, 0.383),
        fastworkflow("Qwen3-14B", 0.4347),
        fastworkflow("Qwen3-4B", 0.3391),
    ),
    # Of 115 recorded conversations of gpt-4.1's, each call with all before it; a token is taken for four characters.
    usually={
        "agent": Usual(calls=14, input_tokens=6050, output_tokens=75),
        "user": Usual(calls=7, input_tokens=1020, output_tokens=20),
    },
)
