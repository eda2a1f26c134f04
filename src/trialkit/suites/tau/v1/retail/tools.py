"""The shop's tools. Checks and writes come in the reference's order: what an error leaves counts."""

import json
from collections.abc import Sequence

from trialkit.suites.tau.common.database import Row, View, copied
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


def cancel_pending_order(view: View, order_id: str, reason: str) -> str:
    order = _order(view, order_id, status="pending", verb="cancelled")
    if reason not in ("no longer needed", "ordered by mistake"):
        raise Refused("invalid reason")
    refunds = []
    for payment in order["payment_history"]:
        method_id, amount = payment["payment_method_id"], payment["amount"]
        refunds.append(_transaction("refund", amount, method_id))
        if "gift_card" in method_id:
            _credit(_wallet_to_edit(view, order)[method_id], amount)
    order = view.edit("orders", order_id)
    order["status"] = "cancelled"
    order["cancel_reason"] = reason
    order["payment_history"].extend(refunds)
    return json.dumps(order)


def modify_pending_order_address(
    view: View,
    *,
    order_id: str,
    address1: str,
    address2: str,
    city: str,
    state: str,
    country: str,
    zip: str,  # noqa: A002 - the tool's own parameter
) -> str:
    _order(view, order_id, status="pending", verb="modified")
    order = view.edit("orders", order_id)
    order["address"] = _address(address1, address2, city, state, country, zip)
    return json.dumps(order)


def modify_user_address(
    view: View,
    *,
    user_id: str,
    address1: str,
    address2: str,
    city: str,
    state: str,
    country: str,
    zip: str,  # noqa: A002 - the tool's own parameter
) -> str:
    if not view.has("users", user_id):
        raise Refused("user not found")
    user = view.edit("users", user_id)
    user["address"] = _address(address1, address2, city, state, country, zip)
    return json.dumps(user)


def modify_pending_order_payment(view: View, order_id: str, payment_method_id: str) -> str:
    order = _order(view, order_id, status="pending", verb="modified")
    method = _method(view, order, payment_method_id)
    history = order["payment_history"]
    if len(history) > 1 or history[0]["transaction_type"] != "payment":
        raise Refused("there should be exactly one payment for a pending order")
    old_id, amount = history[0]["payment_method_id"], history[0]["amount"]
    if old_id == payment_method_id:
        raise Refused("the new payment method should be different from the current one")
    if _short(method, amount):
        raise Refused("insufficient gift card balance to pay for the order")
    order = view.edit("orders", order_id)
    order["payment_history"] += [
        _transaction("payment", amount, payment_method_id),
        _transaction("refund", amount, old_id),
    ]
    if method["source"] == "gift_card":
        _credit(_wallet_to_edit(view, order)[payment_method_id], -amount)
    if "gift_card" in old_id:
        _credit(_wallet_to_edit(view, order)[old_id], amount)
    return json.dumps(order)


def modify_pending_order_items(
    view: View, order_id: str, item_ids: Sequence[str], new_item_ids: Sequence[str], payment_method_id: str
) -> str:
    order = _order(view, order_id, status="pending", verb="modified")
    difference = _price_difference(view, order, item_ids, new_item_ids)
    method = _method(view, order, payment_method_id)
    if _short(method, difference):
        raise Refused("insufficient gift card balance to pay for the new item")
    order = view.edit("orders", order_id)
    kind = "payment" if difference > 0 else "refund"
    # Not rounded, unlike an exchange: so it is in the reference.
    order["payment_history"].append(_transaction(kind, abs(difference), payment_method_id))
    if method["source"] == "gift_card":
        _credit(_wallet_to_edit(view, order)[payment_method_id], -difference)
    for item_id, new_id in zip(item_ids, new_item_ids, strict=True):
        # Looked up anew each time: an item may become one that is named later in the list.
        item = _item(order, item_id)
        variant = view.row("products", item["product_id"])["variants"][new_id]
        item["item_id"], item["price"], item["options"] = new_id, variant["price"], copied(variant["options"])
    order["status"] = "pending (item modified)"
    return json.dumps(order)


def exchange_delivered_order_items(
    view: View, order_id: str, item_ids: Sequence[str], new_item_ids: Sequence[str], payment_method_id: str
) -> str:
    order = _order(view, order_id, status="delivered", verb="exchanged")
    difference = round(_price_difference(view, order, item_ids, new_item_ids), 2)
    if _short(_method(view, order, payment_method_id), difference):
        raise Refused("insufficient gift card balance to pay for the price difference")
    order = view.edit("orders", order_id)
    order["status"] = "exchange requested"
    order["exchange_items"] = sorted(item_ids)
    order["exchange_new_items"] = sorted(new_item_ids)
    order["exchange_payment_method_id"] = payment_method_id
    order["exchange_price_difference"] = difference
    return json.dumps(order)


def return_delivered_order_items(view: View, order_id: str, item_ids: Sequence[str], payment_method_id: str) -> str:
    order = _order(view, order_id, status="delivered", verb="returned")
    _method(view, order, payment_method_id)
    if "gift_card" not in payment_method_id and payment_method_id != order["payment_history"][0]["payment_method_id"]:
        raise Refused("payment method should be either the original payment method or a gift card")
    if _not_held(order, item_ids) is not None:
        raise Refused("some item not found")
    order = view.edit("orders", order_id)
    order["status"] = "return requested"
    order["return_items"] = sorted(item_ids)
    order["return_payment_method_id"] = payment_method_id
    return json.dumps(order)


def _order(view: View, order_id: str, *, status: str, verb: str) -> Row:
    if not view.has("orders", order_id):
        raise Refused("order not found")
    order = view.row("orders", order_id)
    if order["status"] != status:
        raise Refused(f"non-{status} order cannot be {verb}")
    return order


def _method(view: View, order: Row, method_id: str) -> Row:
    methods: dict[str, Row] = view.row("users", order["user_id"])["payment_methods"]
    if method_id not in methods:
        raise Refused("payment method not found")
    return methods[method_id]


def _wallet_to_edit(view: View, order: Row) -> dict[str, Row]:
    methods: dict[str, Row] = view.edit("users", order["user_id"])["payment_methods"]
    return methods


def _short(method: Row, amount: float) -> bool:
    return bool(method["source"] == "gift_card" and method["balance"] < amount)


def _credit(gift_card: Row, amount: float) -> None:
    gift_card["balance"] = round(gift_card["balance"] + amount, 2)


def _transaction(kind: str, amount: float, method_id: str) -> Row:
    return {"transaction_type": kind, "amount": amount, "payment_method_id": method_id}


def _address(*lines: object) -> Row:
    return dict(zip(("address1", "address2", "city", "state", "country", "zip"), lines, strict=True))


def _price_difference(view: View, order: Row, item_ids: Sequence[str], new_item_ids: Sequence[str]) -> float:
    """What the new items cost more than the old ones; refused where an item cannot become the new one."""
    stray = _not_held(order, item_ids)
    if stray is not None:
        raise Refused(f"{stray[0]} not found")
    if len(item_ids) != len(new_item_ids):
        raise Refused("the number of items to be exchanged should match")
    difference: float = 0
    for item_id, new_id in zip(item_ids, new_item_ids, strict=True):
        item = _item(order, item_id)
        variants = view.row("products", item["product_id"])["variants"]
        if new_id not in variants or not variants[new_id]["available"]:
            raise Refused(f"new item {new_id} not found or available")
        difference += variants[new_id]["price"] - item["price"]
    return difference


def _not_held(order: Row, item_ids: Sequence[str]) -> tuple[str] | None:
    """The first id that is asked for more often than the order holds it; wrapped, for it may be None itself."""
    held = [item["item_id"] for item in order["items"]]
    for item_id in item_ids:
        if item_ids.count(item_id) > held.count(item_id):
            return (item_id,)
    return None


def _item(order: Row, item_id: str) -> Row:
    item: Row = next(item for item in order["items"] if item["item_id"] == item_id)
    return item
