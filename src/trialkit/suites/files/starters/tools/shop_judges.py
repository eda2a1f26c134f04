"""A judge of your own: what it asks for by name, it is given."""

from typing import Any


def refunds_rightly(case: dict[str, Any], calls: list[Any]) -> tuple[bool, str]:
    """Money goes back where it should, and nowhere else."""
    refunded = [call.arguments.get("order") for call in calls if call.name == "refund"]
    expected = [case["order"]] if case["refunded"] else []
    return refunded == expected, f"refunded {refunded or 'nothing'}, expected {expected or 'nothing'}"
