from trialkit.suites.tau.v2 import Argument, Toolkit


class LampTools(Toolkit):
    def send_bulb(self, lamp_id: Argument, bulb: Argument) -> str:
        self._view.edit("bulbs", bulb)["sent_to"].append(lamp_id)
        return "sent"

    def synchronise(self) -> None:
        """A lamp whose bulb is broken is dark, whoever presses its button."""
        for key, lamp in self._view.rows("lamps"):
            if lamp["on"] and lamp["bulb"] == "broken":
                self._view.edit("lamps", key)["on"] = False


class CustomerTools(Toolkit):
    def press_button(self, lamp_id: Argument) -> str:
        lamp = self._view.edit("lamps", lamp_id)
        lamp["on"] = not lamp["on"]
        return "click"

    def screw_in(self, lamp_id: Argument, bulb: Argument) -> str:
        if lamp_id not in self._view.row("bulbs", bulb)["sent_to"]:
            raise ValueError("there is no such bulb here")
        self._view.edit("lamps", lamp_id)["bulb"] = bulb
        return "done"
