"""The provider's side of telecom: how its rows are found, and how its world and the customer's are kept in step."""

from trialkit.suites.tau.common.database import Row
from trialkit.suites.tau.v2.toolkit import USER, Argument, Toolkit

#: The day on which every conversation takes place, and the months around it.
TODAY = "2025-02-25"
LAST_MONTH = ("2025-01-01", "2025-01-31")
NEXT_MONTH = ("2025-03-01", "2025-03-31")
AWAITING = "Awaiting Payment"


class Account(Toolkit):
    """Rows are looked for and not looked up, for a model may ask for what is no key."""

    def synchronise(self) -> None:
        """What the provider does to the line shows on the phone, and what the customer pays on the bill."""
        around = self._view.row(USER, "surroundings")
        number = around["phone_number"]
        if number is None:
            return
        line = self._line_of(number)
        plan = self._found("plans", line["plan_id"], "Plan")
        facts = {
            "line_active": line["status"] == "Active",
            "roaming_allowed": bool(line["roaming_enabled"]),
            "mobile_data_usage_exceeded": line["data_used_gb"] >= plan["data_limit_gb"] + line["data_refueling_gb"],
            "payment_request": self._request(around["payment_request"], number),
        }
        if any(around[name] != value for name, value in facts.items()):
            self._view.edit(USER, "surroundings").update(facts)

    def _request(self, request: Row | None, number: str) -> Row | None:
        """One that was paid is over, and then the first bill that waits makes the next."""
        if request is not None and request["paid"]:
            self._view.edit("bills", request["bill_id"])["status"] = "Paid"
            request = None
        if request is not None:
            return request
        waiting = self._awaiting_payment(self._customer_of(number))
        if not waiting:
            return None
        return {"bill_id": waiting[0]["bill_id"], "amount_due": waiting[0]["total_due"], "paid": False}

    def _found(self, table: str, key: Argument, what: str) -> Row:
        row = next((row for known, row in self._view.rows(table) if known == key), None)
        if row is None:
            raise ValueError(f"{what} with ID {key} not found")
        return row

    def _customer(self, customer_id: Argument) -> Row:
        return self._found("customers", customer_id, "Customer")

    def _bill(self, bill_id: Argument) -> Row:
        return self._found("bills", bill_id, "Bill")

    def _line(self, customer_id: Argument, line_id: Argument) -> Row:
        if line_id not in self._customer(customer_id)["line_ids"]:
            raise ValueError(f"Line {line_id} not found for customer {customer_id}")
        return self._found("lines", line_id, "Line")

    def _line_of(self, phone_number: Argument) -> Row:
        for _, line in self._view.rows("lines"):
            if line["phone_number"] == phone_number:
                return line
        raise ValueError(f"Line with phone number {phone_number} not found")

    def _customer_of(self, phone_number: Argument) -> Row:
        for _, customer in self._view.rows("customers"):
            if customer["phone_number"] == phone_number:
                return customer
            if any(self._found("lines", one, "Line")["phone_number"] == phone_number for one in customer["line_ids"]):
                return customer
        raise ValueError(f"Customer with phone number {phone_number} not found")

    def _awaiting_payment(self, customer: Row) -> list[Row]:
        bills = map(self._bill, customer["bill_ids"])
        return [bill for bill in bills if bill["status"] == AWAITING]

    def _add_bill(self, bill_id: str, customer_id: Argument, period: tuple[str, str], status: str) -> Row:
        """Issued on the first day of its period, and due two weeks later."""
        bill: Row = {
            "bill_id": bill_id,
            "customer_id": customer_id,
            "period_start": period[0],
            "period_end": period[1],
            "issue_date": period[0],
            "total_due": 0.0,
            "due_date": f"{period[0][:8]}15",
            "line_items": [],
            "status": status,
        }
        self._view.put("bills", bill_id, bill)
        self._view.edit("customers", customer_id)["bill_ids"].append(bill_id)
        return bill


def charge(bill: Row, description: str, amount: float) -> None:
    kind = "Credit" if amount < 0 else "Charge"
    bill["line_items"].append({"description": description, "amount": amount, "date": TODAY, "item_type": kind})
    bill["total_due"] += amount
