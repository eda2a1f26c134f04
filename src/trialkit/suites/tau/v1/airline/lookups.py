"""The airline's tools that only read."""

import json

from trialkit.suites.tau.common.database import Row, View
from trialkit.suites.tau.v1.tools import Refused

#: A fact of the benchmark that no table holds.
AIRPORTS = {
    "SFO": "San Francisco",
    "JFK": "New York",
    "LAX": "Los Angeles",
    "ORD": "Chicago",
    "DFW": "Dallas",
    "DEN": "Denver",
    "SEA": "Seattle",
    "ATL": "Atlanta",
    "MIA": "Miami",
    "BOS": "Boston",
    "PHX": "Phoenix",
    "IAH": "Houston",
    "LAS": "Las Vegas",
    "MCO": "Orlando",
    "EWR": "Newark",
    "CLT": "Charlotte",
    "MSP": "Minneapolis",
    "DTW": "Detroit",
    "PHL": "Philadelphia",
    "LGA": "LaGuardia",
}


def get_reservation_details(view: View, reservation_id: str) -> str:
    if not view.has("reservations", reservation_id):
        # So the reference says of a reservation too.
        raise Refused("user not found")
    return json.dumps(view.row("reservations", reservation_id))


def get_user_details(view: View, user_id: str) -> str:
    if not view.has("users", user_id):
        raise Refused("user not found")
    return json.dumps(view.row("users", user_id))


def list_all_airports(_view: View) -> str:
    return json.dumps(AIRPORTS)


def search_direct_flight(view: View, origin: str, destination: str, date: str) -> str:
    found = []
    for _, flight in view.rows("flights"):
        if flight["origin"] == origin and flight["destination"] == destination and _flies(flight, date):
            found.append(_on(flight, date))
    return json.dumps(found)


def search_onestop_flight(view: View, origin: str, destination: str, date: str) -> str:
    flights = [flight for _, flight in view.rows("flights")]
    onward = [flight for flight in flights if flight["destination"] == destination]
    found = []
    for first in flights:
        if first["origin"] != origin:
            continue
        arrival = first["scheduled_arrival_time_est"]
        for second in onward:
            if first["destination"] != second["origin"]:
                continue
            # The day after has no leading zero and stays in May: so the reference counts.
            next_date = f"2024-05-{int(date[-2:]) + 1}" if "+1" in arrival else date
            if arrival > second["scheduled_departure_time_est"]:
                continue
            if date in first["dates"] and next_date in second["dates"] and _available(first, date, second, next_date):
                # The second flight's seats and prices are those of the first day: so the reference shows them.
                found.append([{**_on(first, date), "date": date}, {**_on(second, date), "date": next_date}])
    return json.dumps(found)


def _flies(flight: Row, date: str) -> bool:
    return bool(date in flight["dates"] and flight["dates"][date]["status"] == "available")


def _available(first: Row, date: str, second: Row, next_date: str) -> bool:
    return bool(first["dates"][date]["status"] == "available" and second["dates"][next_date]["status"] == "available")


def _on(flight: Row, date: str) -> Row:
    """The flight as it is on that day: without the other days."""
    return {**{key: value for key, value in flight.items() if key != "dates"}, **flight["dates"][date]}
