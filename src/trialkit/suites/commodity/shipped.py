"""The scenarios and prompts that come with the suite."""

from importlib.resources import files

SHIPPED = files("trialkit.suites.commodity")
