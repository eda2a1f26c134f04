"""What the customer can look at and do on the phone."""

from trialkit.suites.tau.common.database import Row
from trialkit.suites.tau.v2.toolkit import USER, Argument

from .phone import Phone, part_of, value_of

_SIM = {
    "active": "Your SIM card is active and working.",
    "missing": "No SIM card detected in the phone.",
    "locked_pin": "The SIM card is locked with a PIN code.",
    "locked_puk": "The SIM card is locked with a PUK code.",
}
_ADVICE = {
    "Very Poor": "Connection is very slow. Basic web browsing might be difficult.",
    "Poor": "Connection is slow. Web browsing may be sluggish, streaming difficult.",
    "Fair": "Connection is okay for web browsing and some standard definition streaming.",
    "Good": "Connection is good for most activities, including HD streaming.",
    "Excellent": "Connection is very fast.",
}
_MODES = ("4g_5g_preferred", "4g_only", "3g_only", "2g_only")


class TelecomUserTools(Phone):
    """Named as the reference's, because Python puts the name into its message about a wrong call."""

    def check_status_bar(self) -> str:
        return f"Status Bar: {self._status_bar()}"

    def check_network_status(self) -> str:
        device = self._device
        lines = [
            f"Airplane Mode: {_on(device['airplane_mode'])}",
            f"SIM Card Status: {self._sim_status()}",
            f"Cellular Connection: {device['network_connection_status']}",
            f"Cellular Signal: {device['network_signal_strength']}",
            f"Cellular Network Type: {device['network_technology_connected']}",
            f"Mobile Data Enabled: {_yes(device['data_enabled'])}",
            f"Data Roaming Enabled: {_yes(device['roaming_enabled'])}",
            f"Wi-Fi Radio: {_on(device['wifi_enabled'])}",
            f"Wi-Fi Connected: {_yes(device['wifi_connected'])}",
        ]
        if device["wifi_connected"]:
            lines.append(f"Connected Wi-Fi Network: {device['wifi_ssid']}")
        return "\n".join(lines)

    def check_network_mode_preference(self) -> str:
        return f"Network Mode Preference: {value_of(self._device['network_mode_preference'])}"

    def set_network_mode_preference(self, mode: Argument) -> str:
        """Whatever is no text is taken as it is, and told of as a failure or fails afterwards."""
        known = mode in _MODES or not isinstance(mode, str)
        if known:
            self._set(network_mode_preference=mode)
            self._search_network()
        if mode is None or not known:
            fault = f"Failed to set network mode: '{mode}' is not a valid option."
            return self._told(f"{fault} Please use one of: {', '.join(_MODES)}")
        return self._told(f"Preferred Network Mode set to: {value_of(mode)}")

    def run_speed_test(self) -> str:
        speed, word = self._speed()
        if speed is None:
            return f"Speed test failed: {word}."
        return f"Speed Test Result: {speed:.2f} Mbps ({word}). {_ADVICE[word]}"

    def toggle_airplane_mode(self) -> str:
        return self._told(f"Airplane Mode is now {_on(self._flip_airplane_mode())}.")

    def check_sim_status(self) -> str:
        return _SIM[self._sim_status()]

    def reseat_sim_card(self) -> str:
        self._set(sim_card_missing=False)
        self._search_network()
        return self._told("SIM card re-seated successfully.")

    def toggle_data(self) -> str:
        return self._told(f"Mobile Data is now {_on(self._flip_and_search('data_enabled'))}.")

    def toggle_roaming(self) -> str:
        return self._told(f"Data Roaming is now {_on(self._flip_and_search('roaming_enabled'))}.")

    def check_data_restriction_status(self) -> str:
        on = self._device["data_saver_mode"]
        return "Data Saver mode is ON (limits data usage)." if on else "Data Saver mode is OFF."

    def toggle_data_saver_mode(self) -> str:
        return self._told(f"Data Saver Mode is now {_on(self._flip('data_saver_mode'))}.")

    def check_apn_settings(self) -> str:
        name, url = value_of(self._apn("apn_name")), self._apn("mmsc_url") or "Not Set"
        about = "(These are technical settings, usually best left unchanged.)"
        return f"Current APN Name: {name}\nMMSC URL (for picture messages): {url}\n{about}"

    def set_apn_settings(self, apn_settings: Argument) -> str:
        if isinstance(apn_settings, dict):
            apn_settings = self._rows.part("APNSettings", apn_settings)
        self._set(active_apn_settings=apn_settings)
        told = f"APN settings set to: {part_of(apn_settings, 'apn_name')}"
        self._search_network()
        return self._told(told)

    def reset_apn_settings(self) -> str:
        self._apn("reset_at_reboot")
        self._view.edit(USER, "device")["active_apn_settings"]["reset_at_reboot"] = True
        self._search_network()
        return self._told("APN settings will reset at reboot.")

    def check_wifi_status(self) -> str:
        device = self._device
        if not device["wifi_enabled"]:
            return "Wi-Fi is turned OFF."
        if not device["wifi_connected"]:
            return "Wi-Fi is ON but not connected to any network."
        signal = device["wifi_signal_strength"]
        return f"Wi-Fi is ON and connected to '{device['wifi_ssid']}'. Signal strength: {signal}."

    def toggle_wifi(self) -> str:
        if self._device["airplane_mode"]:
            return self._told("Cannot change Wi-Fi settings while Airplane Mode is ON.")
        on = self._flip("wifi_enabled")
        if not on:
            self._drop_wifi()
        return self._told(f"Wi-Fi is now {_on(on)}.")

    def check_wifi_calling_status(self) -> str:
        return f"Wi-Fi Calling is currently turned {_on(self._device['wifi_calling_enabled'])}."

    def toggle_wifi_calling(self) -> str:
        return self._told(f"Wi-Fi Calling is now {_on(self._flip('wifi_calling_enabled'))}.")

    def check_vpn_status(self) -> str:
        device = self._device
        if device["vpn_connected"]:
            details = device["vpn_details"]
            told = f"Details: {_vpn(details)}" if details else "(no specific details available)."
            return f"VPN is ON and connected{'.' if details else ''} {told}"
        if device["vpn_enabled_setting"]:
            return "VPN is turned ON in settings, but currently not connected."
        return "VPN is turned OFF."

    def connect_vpn(self) -> str:
        return self._told("VPN connected successfully.") if self._connect_vpn() else "VPN already connected."

    def disconnect_vpn(self) -> str:
        done = self._disconnect_vpn()
        return self._told("VPN disconnected successfully." if done else "No active VPN connection to disconnect.")

    def check_installed_apps(self) -> str:
        return f"The following apps are installed on the phone: {', '.join(self._device['app_statuses'])}"

    def check_app_status(self, app_name: Argument) -> str:
        app = self._device["app_statuses"].get(app_name)
        if app is None:
            return f"App '{app_name}' not found on this phone."
        granted = _granted(app)
        lines = [" - Permissions Granted:", *(f"   - {one}" for one in granted)] if granted else []
        return "\n".join([f"Status for App: {app_name}", *(lines or [" - Permissions: None granted."])])

    def check_app_permissions(self, app_name: Argument) -> str:
        app = self._device["app_statuses"].get(app_name)
        if app is None:
            return f"App '{app_name}' not found on this phone."
        if granted := _granted(app):
            return f"App '{app_name}' has permission for: {', '.join(granted)}."
        return f"App '{app_name}' currently has no permissions granted."

    def grant_app_permission(self, app_name: Argument, permission: Argument) -> str:
        app, permission = self._device["app_statuses"].get(app_name), permission.lower()
        if app is None:
            return self._told(f"Error. App '{app_name}' not found. Cannot grant permission.")
        if permission not in app["permissions"]:
            known = f"available permissions: {list(app['permissions'])}"
            return self._told(f"Error. Permission '{permission}' not tracked for app '{app_name}', {known}")
        self._permit(app_name, permission, allowed=True)
        return self._told(f"Success. Permission '{permission}' granted to app '{app_name}'.")

    def can_send_mms(self) -> str:
        return f"Your messaging app {'can' if self._mms_works() else 'cannot'} send MMS messages."

    def reboot_device(self) -> str:
        lines = []
        if self._apn("reset_at_reboot"):
            lines.append("Resetting APN settings...")
            self._set(active_apn_settings=self._rows.part("APNSettings", {}))
        lines.append("Restarting network services...")
        self._set(network_connection_status="searching")
        self._search_network()
        return self._told("\n".join(lines))

    def check_payment_request(self) -> str:
        request = self._around["payment_request"]
        if request is None:
            return "No payment request has been made."
        return f"You have a payment request for bill {request['bill_id']} of {request['amount_due']} USD."

    def make_payment(self) -> str:
        if self._around["payment_request"] is None:
            return "You do not have a payment request."
        request = self._view.edit(USER, "surroundings")["payment_request"]
        request["paid"] = True
        return f"Payment of {request['amount_due']} USD has been made for bill {request['bill_id']}."

    def _flip_and_search(self, name: str) -> bool:
        on = self._flip(name)
        self._search_network()
        return on

    def _permit(self, app_name: str, permission: str, *, allowed: bool) -> None:
        app = self._view.edit(USER, "device")["app_statuses"][app_name]
        app["permissions"][permission] = allowed


def _on(state: object) -> str:
    return "ON" if state else "OFF"


def _yes(state: object) -> str:
    return "Yes" if state else "No"


def _granted(app: Row) -> list[str]:
    return [name for name, allowed in app["permissions"].items() if allowed]


def _vpn(details: Row) -> str:
    """As Python shows the reference's record of it, in which the performance is of an enumeration."""
    performance = details["server_performance"]
    shown = {name: repr(value) for name, value in details.items()}
    shown["server_performance"] = f"<PerformanceLevel.{performance.upper()}: {performance!r}>"
    return "{" + ", ".join(f"{name!r}: {text}" for name, text in shown.items()) + "}"
