"""What a trial of a tau suite usually takes, where no past run tells. A token is taken for four characters.

tau-bench: recorded conversations of gpt-4.1 (retail, 115) and gpt-4o (airline, 200), each call with all before it.
tau2: assumed to take as many turns as tau-bench; its policies, tools and rules for the user are as much longer.
"""

from trialkit.suites import Usual

USUAL = {
    "tau-bench/retail": {
        "agent": Usual(calls=14, input_tokens=6050, output_tokens=75),
        "user": Usual(calls=7, input_tokens=1020, output_tokens=20),
    },
    "tau-bench/airline": {
        "agent": Usual(calls=12, input_tokens=5540, output_tokens=70),
        "user": Usual(calls=7, input_tokens=960, output_tokens=26),
    },
    "tau2/retail": {
        "agent": Usual(calls=14, input_tokens=6470, output_tokens=75),
        "user": Usual(calls=7, input_tokens=1160, output_tokens=20),
    },
    "tau2/airline": {
        "agent": Usual(calls=12, input_tokens=6420, output_tokens=70),
        "user": Usual(calls=7, input_tokens=1100, output_tokens=26),
    },
}
