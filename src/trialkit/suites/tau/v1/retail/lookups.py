"""The shop's tools that only read."""

import json

from trialkit.suites.tau.common.database import View
from trialkit.suites.tau.v1.tools import Refused


def find_user_id_by_email(view: View, email: str) -> str:
    for user_id, user in view.rows("users"):
        if user["email"].lower() == email.lower():
            return user_id
    raise Refused("user not found")


def find_user_id_by_name_zip(view: View, first_name: str, last_name: str, zip: str) -> str:  # noqa: A002 - the tool's own parameter
    for user_id, user in view.rows("users"):
        name = user["name"]
        # One by one: a last name or zip of the wrong type is only noticed where the first name fits.
        if name["first_name"].lower() != first_name.lower() or name["last_name"].lower() != last_name.lower():
            continue
        if user["address"]["zip"] == zip:
            return user_id
    raise Refused("user not found")


def get_order_details(view: View, order_id: str) -> str:
    return _details(view, "orders", order_id)


def get_product_details(view: View, product_id: str) -> str:
    return _details(view, "products", product_id)


def get_user_details(view: View, user_id: str) -> str:
    return _details(view, "users", user_id)


def list_all_product_types(view: View) -> str:
    types = {product["name"]: product["product_id"] for _, product in view.rows("products")}
    return json.dumps(dict(sorted(types.items())))


def _details(view: View, table: str, key: str) -> str:
    if not view.has(table, key):
        raise Refused(f"{table.removesuffix('s')} not found")
    return json.dumps(view.row(table, key))
