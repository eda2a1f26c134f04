"""A made-up domain of tau2's, as a package of somebody's own would add it: a lamp that the customer has at home."""

from trialkit.suites.tau.v2 import Tau2Suite

from .tools import CustomerTools, LampTools

SUITE = Tau2Suite(
    name="tau2/lamp",
    summary="A lamp with a button, which the customer presses.",
    toolkit=LampTools,
    user_toolkit=CustomerTools,
    key_arguments=("lamp_id",),
)
