"""What the agent's tools do in telecom. What is no row has its numbers as texts, as in the reference."""

import hashlib

from trialkit.suites.tau.common.database import Row
from trialkit.suites.tau.v2.toolkit import Argument

from .account import AWAITING, NEXT_MONTH, TODAY, Account, charge

#: What is more than a date: an answer has it as Python writes it, the database as ISO does.
_TIMES = frozenset({"created_at", "activation_date", "last_esim_transfer_date"})


class TelecomTools(Account):
    """Named as the reference's, because Python puts the name into its message about a wrong call."""

    def get_customer_by_phone(self, phone_number: Argument) -> Row:
        return _told(self._customer_of(phone_number))

    def get_customer_by_id(self, customer_id: Argument) -> Row:
        return _told(self._customer(customer_id))

    def get_customer_by_name(self, full_name: Argument, dob: Argument) -> list[Row]:
        return [
            _told(row)
            for _, row in self._view.rows("customers")
            if row["full_name"].lower() == full_name.lower() and row["date_of_birth"] == dob
        ]

    def get_details_by_id(self, id: Argument) -> Row:  # noqa: A002 - the tool's own name
        tables = {"L": "lines", "D": "devices", "B": "bills", "C": "customers", "P": "plans"}
        for letter, table in tables.items():
            if id.startswith(letter):
                return _told(self._found(table, id, table.removesuffix("s").title()))
        raise ValueError(f"Unknown ID format or type: {id}")

    def get_bills_for_customer(self, customer_id: Argument, limit: Argument = 12) -> list[Row]:
        bills = map(self._bill, self._customer(customer_id)["bill_ids"])
        return sorted(bills, key=lambda bill: str(bill["issue_date"]), reverse=True)[:limit]

    def get_data_usage(self, customer_id: Argument, line_id: Argument) -> dict[str, Argument]:
        line = self._line(customer_id, line_id)
        plan = self._found("plans", line["plan_id"], "Plan")
        return {
            "line_id": line_id,
            "data_used_gb": str(line["data_used_gb"]),
            "data_limit_gb": str(plan["data_limit_gb"]),
            "data_refueling_gb": str(line["data_refueling_gb"]),
            "cycle_end_date": "2025-02-28",
        }

    def suspend_line(self, customer_id: Argument, line_id: Argument, reason: Argument) -> Row:  # noqa: ARG002 - the tool's own argument
        if self._line(customer_id, line_id)["status"] != "Active":
            raise ValueError("Line must be active to suspend")
        line = self._view.edit("lines", line_id)
        line.update(status="Suspended", suspension_start_date=TODAY)
        return {"message": "Line suspended successfully. $5/month holding fee will apply.", "line": line}

    def resume_line(self, customer_id: Argument, line_id: Argument) -> Row:
        if self._line(customer_id, line_id)["status"] not in {"Suspended", "Pending Activation"}:
            raise ValueError("Line must be suspended to resume")
        line = self._view.edit("lines", line_id)
        line.update(status="Active", suspension_start_date=None)
        return {"message": "Line resumed successfully", "line": line}

    def send_payment_request(self, customer_id: Argument, bill_id: Argument) -> str:
        customer = self._customer(customer_id)
        if self._awaiting_payment(customer):
            raise ValueError("A bill is already awaiting payment for this customer")
        if bill_id not in customer["bill_ids"]:
            raise ValueError(f"Bill {bill_id} not found for customer {customer_id}")
        self._view.edit("bills", bill_id)["status"] = AWAITING
        return f"Payment request sent to the customer for bill {bill_id}"

    def enable_roaming(self, customer_id: Argument, line_id: Argument) -> str:
        if self._line(customer_id, line_id)["roaming_enabled"]:
            return "Roaming was already enabled"
        self._view.edit("lines", line_id)["roaming_enabled"] = True
        return "Roaming enabled successfully"

    def disable_roaming(self, customer_id: Argument, line_id: Argument) -> str:
        if not self._line(customer_id, line_id)["roaming_enabled"]:
            return "Roaming was already disabled"
        self._view.edit("lines", line_id)["roaming_enabled"] = False
        return "Roaming disabled successfully"

    def refuel_data(self, customer_id: Argument, line_id: Argument, gb_amount: Argument) -> dict[str, str]:
        line = self._line(customer_id, line_id)
        if gb_amount <= 0:
            raise ValueError("Refuel amount must be positive")
        price = self._found("plans", line["plan_id"], "Plan")["data_refueling_price_per_gb"]
        cost = gb_amount * price
        line = self._view.edit("lines", line_id)
        line["data_refueling_gb"] += gb_amount
        charge(self._draft(customer_id), f"Data refueling: {gb_amount} GB at ${price}/GB", cost)
        return {
            "message": f"Successfully added {gb_amount} GB of data for line {line_id} for ${cost:.2f}",
            "new_data_refueling_gb": str(line["data_refueling_gb"]),
            "charge": str(cost),
        }

    def transfer_to_human_agents(self, summary: Argument) -> str:  # noqa: ARG002 - the tool's own argument
        return "Transfer successful"

    def _draft(self, customer_id: Argument) -> Row:
        """The bill of the next month, for writing."""
        for bill_id in self._customer(customer_id)["bill_ids"]:
            if self._bill(bill_id)["status"] == "Draft":
                return self._view.edit("bills", bill_id)
        return self._add_bill(self._invented_id(), customer_id, NEXT_MONTH, "Draft")

    def _invented_id(self) -> str:
        """In the form of the reference's, which draws it; the same in every replay of the same calls."""
        number = sum(1 for _ in self._view.rows("bills"))
        return f"B{hashlib.sha256(f'bill {number}'.encode()).hexdigest()[:8]}"


def _told(row: Row) -> Row:
    return {name: value.replace("T", " ") if value and name in _TIMES else value for name, value in row.items()}
