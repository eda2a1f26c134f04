"""Finding flights with free seats, in the order of the database."""

from collections.abc import Iterator

from trialkit.suites.tau.common.database import Row, View
from trialkit.suites.tau.v2.toolkit import Argument


def direct_flights(
    view: View, date: Argument, origin: Argument = None, destination: Argument = None, leave_after: str | None = None
) -> Iterator[Row]:
    """None stands for any place, also where a model gives it."""
    for _, flight in view.rows("flights"):
        if (
            (origin is None or flight["origin"] == origin)
            and (destination is None or flight["destination"] == destination)
            and date in flight["dates"]
            and flight["dates"][date]["status"] == "available"
            and (leave_after is None or flight["scheduled_departure_time_est"] >= leave_after)
        ):
            day = flight["dates"][date]
            yield {
                "flight_number": flight["flight_number"],
                "origin": flight["origin"],
                "destination": flight["destination"],
                "status": "available",
                "scheduled_departure_time_est": flight["scheduled_departure_time_est"],
                "scheduled_arrival_time_est": flight["scheduled_arrival_time_est"],
                "date": None,
                "available_seats": day["available_seats"],
                "prices": day["prices"],
            }


def one_stop_flights(view: View, date: Argument, origin: Argument, destination: Argument) -> Iterator[list[Row]]:
    for first in direct_flights(view, date, origin):
        arrival = first["scheduled_arrival_time_est"]
        # The day after is counted as the reference counts it: always in May, and without a leading zero.
        second_date = f"2024-05-{int(date[-2:]) + 1}" if "+1" in arrival else date
        for second in direct_flights(view, second_date, first["destination"], destination, leave_after=arrival):
            yield [{**first, "date": date}, {**second, "date": second_date}]
