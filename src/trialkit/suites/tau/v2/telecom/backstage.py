"""What the benchmark itself calls by name: to set the scene, to break something, and to assert how it is at the end."""

from trialkit.suites.tau.v2.toolkit import USER, Argument

from .account import LAST_MONTH, TODAY, charge
from .tools import TelecomTools
from .user_tools import TelecomUserTools

_STATUSES = ("connected", "searching", "no_service", "emergency_only")


class AgentBackstage(TelecomTools):
    def get_available_plan_ids(self) -> list[str]:
        return [plan_id for plan_id, _ in self._view.rows("plans")]

    def set_data_usage(self, customer_id: Argument, line_id: Argument, data_used_gb: Argument) -> str:
        self._line(customer_id, line_id)
        self._view.edit("lines", line_id)["data_used_gb"] = data_used_gb
        return f"Data usage set to {data_used_gb} GB for line {line_id}"

    def suspend_line_for_overdue_bill(
        self,
        customer_id: Argument,
        line_id: Argument,
        new_bill_id: Argument,
        contract_ended: Argument,
    ) -> str:
        line = self._found("lines", line_id, "Line")
        if line["status"] != "Active":
            raise ValueError("Line must be active to suspend for unpaid bill")
        amount = self._found("plans", line["plan_id"], "Plan")["price_per_month"]
        if amount <= 0:
            raise ValueError("Amount must be positive for overdue bill")
        bills = map(self._bill, self._customer(customer_id)["bill_ids"])
        if any(bill["status"] == "Overdue" for bill in bills):
            raise ValueError("Customer already has an overdue bill")
        bill = self._add_bill(new_bill_id, customer_id, LAST_MONTH, "Overdue")
        charge(bill, f"Charge for line {line_id}", amount)
        line = self._view.edit("lines", line_id)
        line.update(status="Suspended", suspension_start_date=TODAY)
        if contract_ended:
            line["contract_end_date"] = LAST_MONTH[1]
        return f"Line {line_id} suspended for unpaid bill {new_bill_id}. Contract ended: {contract_ended}"

    def assert_data_refueling_amount(self, customer_id: Argument, line_id: Argument, expected_amount: Argument) -> bool:
        return bool(abs(self._line(customer_id, line_id)["data_refueling_gb"] - expected_amount) < 1e-6)

    def assert_line_status(self, customer_id: Argument, line_id: Argument, expected_status: Argument) -> bool:
        return bool(self._line(customer_id, line_id)["status"] == expected_status)

    def assert_overdue_bill_exists(self, customer_id: Argument, overdue_bill_id: Argument) -> bool:
        if overdue_bill_id not in self._customer(customer_id)["bill_ids"]:
            raise ValueError(f"Overdue bill {overdue_bill_id} not found")
        if self._bill(overdue_bill_id)["status"] != "Overdue":
            raise ValueError(f"Overdue bill {overdue_bill_id} is not overdue")
        return True

    def assert_no_overdue_bill(self, overdue_bill_id: Argument) -> bool:
        """There is no such bill, or it is paid."""
        bills = (bill for known, bill in self._view.rows("bills") if known == overdue_bill_id)
        return all(bill["status"] == "Paid" for bill in bills)


class UserBackstage(TelecomUserTools):
    def set_user_info(self, name: Argument, phone_number: Argument) -> None:
        self._view.edit(USER, "surroundings").update(name=name, phone_number=phone_number)

    def set_user_location(self, abroad: Argument) -> None:
        self._view.edit(USER, "surroundings")["is_abroad"] = abroad

    def simulate_network_search(self) -> None:
        self._search_network()

    def turn_airplane_mode_on(self) -> str:
        if not self._flip_airplane_mode():
            self._flip_airplane_mode()
        return "Airplane Mode is now ON."

    def turn_airplane_mode_off(self) -> str:
        if self._flip_airplane_mode():
            self._flip_airplane_mode()
        return "Airplane Mode is now OFF."

    def unseat_sim_card(self) -> str:
        self._set(sim_card_missing=True)
        self._search_network()
        return "SIM card un-seated successfully."

    def lock_sim_card(self, mode: Argument) -> str:
        if mode in {"pin", "puk"}:
            self._set(sim_card_status=f"locked_{mode}")
        self._search_network()
        return f"SIM card locked successfully in {mode} mode."

    def turn_data_on(self) -> str:
        self._set(data_enabled=True)  # without a search
        return "Data connection restored."

    def turn_data_off(self) -> str:
        self._turn("data_enabled", on=False)
        return "Data connection broken."

    def turn_roaming_on(self) -> str:
        self._turn("roaming_enabled", on=True)
        return "Data Roaming is now ON."

    def turn_roaming_off(self) -> str:
        self._turn("roaming_enabled", on=False)
        return "Data Roaming is now OFF."

    def turn_data_saver_mode_on(self) -> str:
        self._set(data_saver_mode=True)
        return "Data Saver Mode is now ON."

    def turn_data_saver_mode_off(self) -> str:
        self._set(data_saver_mode=False)
        return "Data Saver Mode is now OFF."

    def break_apn_settings(self) -> str:
        self._view.edit(USER, "device")["active_apn_settings"]["apn_name"] = "broken"
        self._search_network()
        return "APN settings broken. Please call reset_apn_settings() to fix."

    def break_apn_mms_setting(self) -> str:
        self._view.edit(USER, "device")["active_apn_settings"]["mmsc_url"] = None
        return "APN MMS setting broken. Please call reset_apn_settings() to fix."

    def set_wifi_calling(self, enabled: Argument, mms_over_wifi: Argument = None) -> str:
        self._set(wifi_calling_enabled=bool(enabled))
        told = f"Wi-Fi Calling is now {'ON' if enabled else 'OFF'}."
        if mms_over_wifi is None:
            return told
        self._set(wifi_calling_mms_over_wifi=mms_over_wifi)
        return f"{told}\nMMS over Wi-Fi is now {'ON' if mms_over_wifi else 'OFF'}."

    def break_vpn(self) -> str:
        self._connect_vpn()
        self._view.edit(USER, "device")["vpn_details"]["server_performance"] = "poor"
        return "VPN connection broken."

    def remove_app_permission(self, app_name: Argument, permission: Argument) -> tuple[bool, str]:
        app, permission = self._device["app_statuses"].get(app_name), permission.lower()
        if app is None:
            return False, f"App '{app_name}' not found. Cannot remove permission."
        if permission not in app["permissions"]:
            return False, f"Permission '{permission}' not tracked for app '{app_name}'."
        self._permit(app_name, permission, allowed=False)
        return True, f"Permission '{permission}' removed from app '{app_name}'."

    def assert_airplane_mode_status(self, expected_status: Argument) -> bool:
        return bool(self._device["airplane_mode"] == expected_status)

    def assert_service_status(self, expected_status: Argument) -> bool:
        if expected_status not in _STATUSES:
            raise ValueError(f"{expected_status!r} is not a valid NetworkStatus")
        return bool(self._device["network_connection_status"] == expected_status)

    def assert_mobile_data_status(self, expected_status: Argument) -> bool:
        return bool(self._mobile_data_works() == expected_status)

    def assert_mobile_roaming_status(self, expected_status: Argument) -> bool:
        return bool(self._device["roaming_enabled"] == expected_status)

    def assert_mobile_data_saver_mode_status(self, expected_status: Argument) -> bool:
        return bool(self._device["data_saver_mode"] == expected_status)

    def assert_internet_speed(self, expected_speed: Argument, expected_desc: Argument = None) -> bool:
        speed, word = self._speed()
        fast = bool((speed or 0.0) >= expected_speed)
        return fast if expected_desc is None else fast and word.lower() == expected_desc.lower()

    def assert_internet_not_excellent(self) -> bool:
        return self._speed()[1] != "Excellent"

    def assert_can_send_mms(self, expected_status: Argument) -> bool:
        return bool(self._mms_works() == expected_status)

    def assert_mobile_data_usage_exceeded(self, expected_status: Argument) -> bool:
        return bool(self._around["mobile_data_usage_exceeded"] == expected_status)

    def _turn(self, name: str, *, on: bool) -> None:
        """As a switch is turned by flipping it, until it is right: the network is searched each time."""
        if self._flip_and_search(name) != on:
            self._flip_and_search(name)
