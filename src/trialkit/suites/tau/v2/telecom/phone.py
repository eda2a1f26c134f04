"""The customer's phone and what is around it: what they hold, and how a change of one thing changes others.

Wherever the reference holds whatever a model gave it, so do we, and fail where it fails.
"""

from collections.abc import Iterator

from trialkit.suites.tau.common.database import Row
from trialkit.suites.tau.v2.toolkit import USER, Argument, Toolkit

_NO_SERVICE = {
    "network_connection_status": "no_service",
    "network_technology_connected": "none",
    "network_signal_strength": "none",
}
_TECHNOLOGIES = {"4g_only": "4G", "3g_only": "3G", "2g_only": "2G"}
_BARS = {"poor": "📶¹ Poor", "fair": "📶² Fair", "good": "📶³ Good", "excellent": "📶⁴ Excellent"}
#: The middle of what each technology gives, in Mbps, and the share of it that a signal lets through.
_SPEEDS = {"2G": (0.1 + 0.4) / 2, "3G": (1.0 + 5.0) / 2, "4G": (10.0 + 100.0) / 2, "5G": (50.0 + 500.0) / 2}
_SHARES = {"poor": 0.2, "fair": 0.5, "good": 0.8, "excellent": 1.0}
_POOR_VPN = 0.1
_DATA_SAVER = 0.2
#: Below so many Mbps.
_WORDS = ((1, "Very Poor"), (5, "Poor"), (25, "Fair"), (100, "Good"))


class Phone(Toolkit):
    @property
    def _device(self) -> Row:
        """For reading."""
        return self._view.row(USER, "device")

    @property
    def _around(self) -> Row:
        """For reading."""
        return self._view.row(USER, "surroundings")

    def _set(self, **facts: Argument) -> None:
        self._view.edit(USER, "device").update(facts)

    def _apn(self, name: str) -> Argument:
        return part_of(self._device["active_apn_settings"], name)

    def _flip(self, name: str) -> bool:
        """The new state of a switch."""
        self._set(**{name: not self._device[name]})
        return bool(self._device[name])

    def _sim_status(self) -> str:
        return "missing" if self._device["sim_card_missing"] else str(self._device["sim_card_status"])

    def _search_network(self) -> None:
        """In the order of the reference: what cannot be read keeps what comes after it from being looked at."""
        if self._sim_status() == "active":
            technology = self._technology()
            self._set(
                network_connection_status="connected",
                network_technology_connected=technology,
                network_signal_strength=self._around["signal_strength"].get(technology, "none"),
            )
        else:
            self._set(**_NO_SERVICE)
        if self._device["airplane_mode"]:
            self._set(**_NO_SERVICE)
        if self._apn("apn_name") == "broken" or not self._around["line_active"]:
            self._set(**_NO_SERVICE)

    def _technology(self) -> str:
        preference = self._device["network_mode_preference"]
        if preference == "4g_5g_preferred":
            return "4G" if self._around["signal_strength"].get("5G", "none") == "none" else "5G"
        return next((one for mode, one in _TECHNOLOGIES.items() if mode == preference), "4G")

    def _flip_airplane_mode(self) -> bool:
        on = self._flip("airplane_mode")
        if on or self._device["wifi_enabled"]:
            self._drop_wifi()
        if on:
            self._disconnect_vpn()
        self._search_network()
        return on

    def _drop_wifi(self) -> None:
        self._set(wifi_connected=False, wifi_ssid=None, wifi_signal_strength="none")

    def _connect_vpn(self) -> bool:
        """The reference has one record of its VPN for all conversations of a process, and the first that breaks it
        leaves it poor for good; so it was when its behaviour was recorded.
        """
        if self._device["vpn_connected"]:
            return False
        details = {"server_address": "192.168.1.1", "protocol": "OpenVPN", "server_performance": "poor"}
        self._set(vpn_connected=True, vpn_details=details)
        return True

    def _disconnect_vpn(self) -> bool:
        if not self._device["vpn_connected"]:
            return False
        self._set(vpn_connected=False, vpn_details=None)
        return True

    def _mobile_data_works(self) -> bool:
        device, around = self._device, self._around
        if device["airplane_mode"] or device["network_signal_strength"] == "none":
            return False
        if device["network_connection_status"] == "no_service":
            return False
        if around["is_abroad"] and not (device["roaming_enabled"] and around["roaming_allowed"]):
            return False
        return bool(device["data_enabled"]) and not around["mobile_data_usage_exceeded"]

    def _speed(self) -> tuple[float | None, str]:
        """In Mbps, and in a word; None: there is no connection."""
        if not self._mobile_data_works():
            return None, "No Connection"
        device = self._device
        details = device["vpn_details"] if device["vpn_connected"] else None
        factor = _POOR_VPN if details and details["server_performance"] == "poor" else 1.0
        if device["data_saver_mode"]:
            factor *= _DATA_SAVER
        most = _SPEEDS.get(device["network_technology_connected"], 0.0)
        speed = round(most * _SHARES.get(device["network_signal_strength"], 0.0) * factor, 2)
        return speed, next((word for below, word in _WORDS if speed < below), "Excellent")

    def _mms_works(self) -> bool:
        device = self._device
        if not self._mobile_data_works() or device["network_technology_connected"] == "2G":
            return False
        if device["wifi_calling_enabled"] and device["wifi_calling_mms_over_wifi"]:
            return False  # the phone could, but the carrier does not take part
        if self._apn("mmsc_url") is None:
            return False
        app = device["app_statuses"].get("messaging")
        return app is not None and bool(app["permissions"]["storage"] and app["permissions"]["sms"])

    def _status_bar(self) -> str:
        device = self._device
        shown = ["✈️ Airplane Mode"] if device["airplane_mode"] else list(_cellular(device))
        if device["wifi_enabled"] and device["wifi_connected"]:
            shown.append(f"📡 Connected to {device['wifi_ssid']}" if device["wifi_ssid"] else "📡 Enabled")
        if device["vpn_connected"]:
            shown.append("🔒 VPN Connected")
        return " | ".join([*shown, f"🔋 {device['battery_level']}%"])

    def _told(self, what: str) -> str:
        return f"{what}\nStatus Bar: {self._status_bar()}"


def _cellular(device: Row) -> Iterator[str]:
    yield _BARS.get(device["network_signal_strength"], "📵 No Signal")
    technology = device["network_technology_connected"]
    if technology != "none":
        yield technology
    if not device["data_enabled"] or technology == "none":
        yield "📵 Data Disabled"
        return
    yield "📱 Data Enabled"
    if device["data_saver_mode"]:
        yield "🔽 Data Saver"


def part_of(value: Argument, name: str) -> Argument:
    """Of settings; what a model put in their place has no such part."""
    if not isinstance(value, dict):
        raise AttributeError(f"{type(value).__name__!r} object has no attribute {name!r}")  # noqa: TRY004 - as Python says it
    return value[name]


def value_of(choice: Argument) -> str:
    """Of an enumeration's choice; what a model put in its place has no value."""
    if not isinstance(choice, str):
        raise AttributeError(f"{type(choice).__name__!r} object has no attribute 'value'")  # noqa: TRY004 - likewise
    return choice
