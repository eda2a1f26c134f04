"""The tools and the state that they change. Each trial has a workshop of its own, with copies of these lists."""

from typing import Any, Literal

Day = Literal["Monday", "Tuesday"]
Work = Literal["brakes", "chain", "tyre"]


class Workshop:
    free: dict[Day, list[int]] = {"Monday": [], "Tuesday": [15]}  # hours
    booked: list[dict[str, Any]] = [{"day": "Monday", "hour": 9, "phone": "555-0101", "work": "tyre"}]

    def free_hours(self, day: Day) -> list[int]:
        """Hours at which nobody is booked yet."""
        return self.free[day]

    def book(self, day: Day, hour: int, phone: str, work: Work) -> str:
        """Books an hour for a repair."""
        if hour not in self.free[day]:
            raise ValueError(f"{hour} on {day} is not free")  # the agent reads it as an error, and the talk goes on
        self.free[day].remove(hour)
        self.booked.append({"day": day, "hour": hour, "phone": phone, "work": work})
        return "booked"

    def cancel(self, phone: str) -> str:
        """Cancels the booking of this telephone number."""
        found = [one for one in self.booked if one["phone"] == phone]
        if not found:
            raise ValueError(f"nothing is booked for {phone}")
        self.booked.remove(found[0])
        self.free[found[0]["day"]].append(found[0]["hour"])
        return "cancelled"
