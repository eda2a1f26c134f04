"""The domains that the tests run on: tau-bench's own where the shared data is, and a tiny one of our own words."""

import json
from pathlib import Path
from typing import Any

from tests.shared import shared_path
from trialkit.suites.tau import Action, Domain, load_domain

NAMES = ("retail", "airline")

TABLES: dict[str, dict[str, Any]] = {
    "orders": {
        "#W1": {
            "order_id": "#W1",
            "user_id": "ada_1",
            "status": "pending",
            "items": [
                {"item_id": "11", "product_id": "1", "price": 10.1, "options": {"colour": "red"}},
                {"item_id": "12", "product_id": "1", "price": 20.2, "options": {"colour": "blue"}},
            ],
            "payment_history": [{"transaction_type": "payment", "amount": 30.3, "payment_method_id": "gift_card_1"}],
        },
        "#W2": {
            "order_id": "#W2",
            "user_id": "ada_1",
            "status": "delivered",
            "items": [{"item_id": "11", "product_id": "1", "price": 10.1, "options": {"colour": "red"}}],
            "payment_history": [{"transaction_type": "payment", "amount": 10.1, "payment_method_id": "credit_card_1"}],
        },
    },
    "products": {
        "1": {
            "name": "Teapot",
            "product_id": "1",
            "variants": {
                "11": {"item_id": "11", "options": {"colour": "red"}, "available": True, "price": 10.1},
                "12": {"item_id": "12", "options": {"colour": "blue"}, "available": True, "price": 20.2},
                "13": {"item_id": "13", "options": {"colour": "grün"}, "available": False, "price": 5},
            },
        }
    },
    "users": {
        "ada_1": {
            "name": {"first_name": "Ada", "last_name": "Byron"},
            "address": {"zip": "00001"},
            "email": "ada@example.com",
            "payment_methods": {
                "gift_card_1": {"source": "gift_card", "balance": 5, "id": "gift_card_1"},
                "credit_card_1": {"source": "credit_card", "id": "credit_card_1"},
            },
            "orders": ["#W1", "#W2"],
        }
    },
}


def tool(name: str, *strings: str, **properties: dict[str, Any]) -> dict[str, Any]:
    """A tool schema; `strings` are its parameters that are plain texts."""
    every = {key: {"type": "string"} for key in strings} | properties
    parameters = {"type": "object", "properties": every, "required": list(every)}
    return {"type": "function", "function": {"name": name, "description": f"Does {name}.", "parameters": parameters}}


ITEMS = {"type": "array", "items": {"type": "string"}}
ADDRESS = ("address1", "address2", "city", "state", "country", "zip")
TOOLS = [
    tool("calculate", "expression"),
    tool(
        "cancel_pending_order",
        "order_id",
        reason={"type": "string", "enum": ["no longer needed", "ordered by mistake"]},
    ),
    tool("exchange_delivered_order_items", "order_id", "payment_method_id", item_ids=ITEMS, new_item_ids=ITEMS),
    tool("find_user_id_by_email", "email"),
    tool("find_user_id_by_name_zip", "first_name", "last_name", "zip"),
    tool("get_order_details", "order_id"),
    tool("get_product_details", "product_id"),
    tool("get_user_details", "user_id"),
    tool("list_all_product_types"),
    tool("modify_pending_order_address", "order_id", *ADDRESS),
    tool("modify_pending_order_items", "order_id", "payment_method_id", item_ids=ITEMS, new_item_ids=ITEMS),
    tool("modify_pending_order_payment", "order_id", "payment_method_id"),
    tool("modify_user_address", "user_id", *ADDRESS),
    tool("return_delivered_order_items", "order_id", "payment_method_id", item_ids=ITEMS),
    tool("think", "thought"),
    tool("transfer_to_human_agents", "summary"),
]
RULES = ["Be kind.", "Don't guess."]
POLICY = "# Policy\n\nHelp with téapots, only teapots.\n"
CANCEL: Action = {"name": "cancel_pending_order", "kwargs": {"order_id": "#W1", "reason": "no longer needed"}}
TASKS: list[dict[str, Any]] = [
    {
        "user_id": "ada_1",
        "instruction": "You are Ada. Cancel your pending order and ask what you get back.",
        "actions": [{"name": "get_order_details", "kwargs": {"order_id": "#W1"}}, CANCEL],
        "outputs": ["30.3", "1,000 Thanks"],
    },
    {"user_id": "ada_1", "instruction": "You are Ada. You only say hello.", "actions": [], "outputs": []},
]


def write_plain(folder: Path, **files: Any) -> Path:
    """The tiny shop as plain files; `files` replace or add to what is written, by stem."""
    shop = folder / "retail"
    shop.mkdir(parents=True)
    (shop / "wiki.md").write_text(POLICY, encoding="utf-8")
    for stem, value in ({"rules": RULES, "tools": TOOLS, "tasks_test": TASKS} | TABLES | files).items():
        (shop / f"{stem}.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def load(name: str, folder: Path) -> Domain:
    return load_domain(f"tau-bench/{name}", folder)


def shared_domain(name: str) -> Domain:
    """tau-bench's own; the test is skipped where the shared data is absent."""
    return load(name, shared_path("tau-bench"))
