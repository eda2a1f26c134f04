"""What the retail tools do. Checks and writes are in the reference's order: some stay when a later step fails."""

import json

from trialkit.suites.tau.common.database import Row
from trialkit.suites.tau.v2.toolkit import Argument, Toolkit, calculated


class RetailTools(Toolkit):
    """Named as the reference's, because Python puts the name into its message about a wrong call."""

    def calculate(self, expression: Argument) -> str:
        return calculated(expression)

    def transfer_to_human_agents(self, summary: Argument) -> str:  # noqa: ARG002 - the tool's own argument
        return "Transfer successful"

    def find_user_id_by_email(self, email: Argument) -> str:
        for user_id, user in self._view.rows("users"):
            if user["email"].lower() == email.lower():
                return user_id
        raise ValueError("User not found")

    def find_user_id_by_name_zip(self, first_name: Argument, last_name: Argument, zip: Argument) -> str:  # noqa: A002 - the tool's own name
        for user_id, user in self._view.rows("users"):
            name = user["name"]
            if (
                name["first_name"].lower() == first_name.lower()
                and name["last_name"].lower() == last_name.lower()
                and user["address"]["zip"] == zip
            ):
                return user_id
        raise ValueError("User not found")

    def get_user_details(self, user_id: Argument) -> Row:
        return self._found("users", user_id, "User")

    def get_order_details(self, order_id: Argument) -> Row:
        return self._order(order_id)

    def get_product_details(self, product_id: Argument) -> Row:
        return self._found("products", product_id, "Product")

    def get_item_details(self, item_id: Argument) -> Row:
        """In sources newer than the wheel."""
        for _, product in self._view.rows("products"):
            if item_id in product["variants"]:
                variant: Row = product["variants"][item_id]
                return variant
        raise ValueError("Item not found")

    def list_all_product_types(self) -> str:
        return json.dumps({row["name"]: row["product_id"] for _, row in self._view.rows("products")}, sort_keys=True)

    def cancel_pending_order(self, order_id: Argument, reason: Argument) -> Row:
        order = self._order(order_id)
        if order["status"] != "pending":
            raise ValueError("Non-pending order cannot be cancelled")
        if reason not in {"no longer needed", "ordered by mistake"}:
            raise ValueError("Invalid reason")
        refunds = []
        for paid in order["payment_history"]:
            refunds.append(_payment("refund", paid["amount"], paid["payment_method_id"]))
            self._credit(order["user_id"], paid["payment_method_id"], paid["amount"])
        order = self._view.edit("orders", order_id)
        order["status"] = "cancelled"
        order["cancel_reason"] = reason
        order["payment_history"].extend(refunds)
        return order

    def modify_pending_order_address(
        self,
        order_id: Argument,
        address1: Argument,
        address2: Argument,
        city: Argument,
        state: Argument,
        country: Argument,
        zip: Argument,  # noqa: A002 - the tool's own name
    ) -> Row:
        if "pending" not in self._order(order_id)["status"]:
            raise ValueError("Non-pending order cannot be modified")
        address = self._address(address1, address2, city, country, state, zip)
        order = self._view.edit("orders", order_id)
        order["address"] = address
        return order

    def modify_user_address(
        self,
        user_id: Argument,
        address1: Argument,
        address2: Argument,
        city: Argument,
        state: Argument,
        country: Argument,
        zip: Argument,  # noqa: A002 - the tool's own name
    ) -> Row:
        self._found("users", user_id, "User")
        address = self._address(address1, address2, city, country, state, zip)
        user = self._view.edit("users", user_id)
        user["address"] = address
        return user

    def modify_pending_order_payment(self, order_id: Argument, payment_method_id: Argument) -> Row:
        order = self._order(order_id)
        if "pending" not in order["status"]:
            raise ValueError("Non-pending order cannot be modified")
        self._payment_method(order["user_id"], payment_method_id)
        history = order["payment_history"]
        if len(history) != 1 or history[0]["transaction_type"] != "payment":
            raise ValueError("There should be exactly one payment for a pending order")
        old_method_id, amount = history[0]["payment_method_id"], history[0]["amount"]
        if old_method_id == payment_method_id:
            raise ValueError("The new payment method should be different from the current one")
        self._expect_cover(order, payment_method_id, amount, "the order")
        changed = self._view.edit("orders", order_id)
        changed["payment_history"] += [
            _payment("payment", amount, payment_method_id),
            _payment("refund", amount, old_method_id),
        ]
        self._credit(order["user_id"], payment_method_id, -amount)
        self._credit(order["user_id"], old_method_id, amount)
        return changed

    def modify_pending_order_items(
        self, order_id: Argument, item_ids: Argument, new_item_ids: Argument, payment_method_id: Argument
    ) -> Row:
        order = self._order(order_id)
        if order["status"] != "pending":
            raise ValueError("Non-pending order cannot be modified")
        _expect_items(order, item_ids, "{} not found")
        if len(item_ids) != len(new_item_ids):
            raise ValueError("The number of items to be exchanged should match")
        owed: float = 0
        variant: Row = {}
        for item_id, new_item_id in zip(item_ids, new_item_ids, strict=False):
            if item_id == new_item_id:
                raise ValueError("The new item id should be different from the old item id")
            item = _item(order, item_id)
            variant = self._available_variant(item["product_id"], new_item_id)
            owed += variant["price"] - item["price"]
        self._expect_cover(order, payment_method_id, owed, "the new item")

        order = self._view.edit("orders", order_id)
        kind = "payment" if owed > 0 else "refund"
        order["payment_history"].append(_payment(kind, float(abs(owed)), payment_method_id))
        self._credit(order["user_id"], payment_method_id, -owed)
        for item_id, new_item_id in zip(item_ids, new_item_ids, strict=False):
            # The reference gives every changed item the last one's price and options, and its rewards count on that.
            _item(order, item_id).update(item_id=new_item_id, price=variant["price"], options=variant["options"])
        order["status"] = "pending (item modified)"
        return order

    def exchange_delivered_order_items(
        self, order_id: Argument, item_ids: Argument, new_item_ids: Argument, payment_method_id: Argument
    ) -> Row:
        order = self._order(order_id)
        if order["status"] != "delivered":
            raise ValueError("Non-delivered order cannot be exchanged")
        _expect_items(order, item_ids, "Number of {} not found.")
        if len(item_ids) != len(new_item_ids):
            raise ValueError("The number of items to be exchanged should match.")
        owed: float = 0
        for item_id, new_item_id in zip(item_ids, new_item_ids, strict=False):
            item = _item(order, item_id)
            owed += self._available_variant(item["product_id"], new_item_id)["price"] - item["price"]
        owed = round(owed, 2)
        self._expect_cover(order, payment_method_id, owed, "the price difference")

        order = self._view.edit("orders", order_id)
        order["status"] = "exchange requested"
        order["exchange_items"] = sorted(item_ids)
        order["exchange_new_items"] = sorted(new_item_ids)
        order["exchange_payment_method_id"] = payment_method_id
        order["exchange_price_difference"] = owed
        return order

    def return_delivered_order_items(self, order_id: Argument, item_ids: Argument, payment_method_id: Argument) -> Row:
        order = self._order(order_id)
        if order["status"] != "delivered":
            raise ValueError("Non-delivered order cannot be returned")
        method = self._payment_method(order["user_id"], payment_method_id)
        if method["source"] != "gift_card" and payment_method_id != order["payment_history"][0]["payment_method_id"]:
            raise ValueError("Payment method should be the original payment method")
        _expect_items(order, item_ids, "Some item not found")
        order = self._view.edit("orders", order_id)
        order["status"] = "return requested"
        order["return_items"] = sorted(item_ids)
        order["return_payment_method_id"] = payment_method_id
        return order

    def _address(self, *lines: Argument) -> Row:
        names = ("address1", "address2", "city", "country", "state", "zip")
        return self._rows.part("UserAddress", dict(zip(names, lines, strict=True)))

    def _found(self, table: str, key: Argument, what: str) -> Row:
        if not self._view.has(table, key):
            raise ValueError(f"{what} not found")
        return self._view.row(table, key)

    def _order(self, order_id: Argument) -> Row:
        return self._found("orders", order_id, "Order")

    def _payment_method(self, user_id: str, method_id: Argument) -> Row:
        methods: dict[str, Row] = self._found("users", user_id, "User")["payment_methods"]
        if method_id not in methods:
            raise ValueError("Payment method not found")
        return methods[method_id]

    def _expect_cover(self, order: Row, method_id: Argument, amount: float, what: str) -> None:
        """The customer has the payment method and, if it is a gift card, enough on it."""
        method = self._payment_method(order["user_id"], method_id)
        if method["source"] == "gift_card" and method["balance"] < amount:
            raise ValueError(f"Insufficient gift card balance to pay for {what}")

    def _credit(self, user_id: str, method_id: str, amount: float) -> None:
        """Put `amount` on a gift card; the other methods keep no balance."""
        if self._payment_method(user_id, method_id)["source"] == "gift_card":
            card = self._view.edit("users", user_id)["payment_methods"][method_id]
            card["balance"] = round(card["balance"] + amount, 2)

    def _available_variant(self, product_id: str, item_id: Argument) -> Row:
        variants: dict[str, Row] = self._found("products", product_id, "Product")["variants"]
        if item_id not in variants:
            raise ValueError("Variant not found")
        if not variants[item_id]["available"]:
            raise ValueError(f"New item {item_id} not found or available")
        return variants[item_id]


def _payment(kind: str, amount: float, method_id: str) -> Row:
    return {"transaction_type": kind, "amount": amount, "payment_method_id": method_id}


def _expect_items(order: Row, item_ids: Argument, complaint: str) -> None:
    """The order holds every item at least as often as it is named."""
    held = [item["item_id"] for item in order["items"]]
    for item_id in item_ids:
        if item_ids.count(item_id) > held.count(item_id):
            raise ValueError(complaint.format(item_id))


def _item(order: Row, item_id: Argument) -> Row:
    """The first item with this id."""
    for item in order["items"]:
        if item["item_id"] == item_id:
            found: Row = item
            return found
    raise ValueError(f"Item {item_id} not found")
