"""The airline's tools. Checks and writes come in the reference's order: what an error leaves counts."""

import json
from collections.abc import Sequence

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


_RESERVATION_IDS = ("HATHAT", "HATHAU", "HATHAV")
_CERTIFICATE_IDS = ("certificate_3221322", "certificate_3221323", "certificate_3221324")
#: The reference has no such limit, and doubles the list each time the same reservation is cancelled again.
MAX_PAYMENTS = 1000


def book_reservation(  # noqa: PLR0913 - the tool's own parameters
    view: View,
    *,
    user_id: str,
    origin: str,
    destination: str,
    flight_type: str,
    cabin: str,
    flights: list[Row],
    passengers: list[Row],
    payment_methods: list[Row],
    total_baggages: int,
    nonfree_baggages: int,
    insurance: str,
) -> str:
    if not view.has("users", user_id):
        raise Refused("user not found")
    price: float = 0
    for flight in flights:
        _price(view, flight, cabin, passengers)
        price += flight["price"] * len(passengers)
    if insurance == "yes":
        price += 30 * len(passengers)
    price += 50 * nonfree_baggages
    _check_payments(view.row("users", user_id)["payment_methods"], payment_methods, price)

    user = view.edit("users", user_id)
    for payment in payment_methods:
        _deduct(user["payment_methods"], payment["payment_id"], payment["amount"])
    # A fourth one takes the place of the third.
    free = [key for key in _RESERVATION_IDS if not view.has("reservations", key)]
    reservation_id = free[0] if free else _RESERVATION_IDS[-1]
    reservation = {
        "reservation_id": reservation_id,
        "user_id": user_id,
        "origin": origin,
        "destination": destination,
        "flight_type": flight_type,
        "cabin": cabin,
        "flights": flights,
        "passengers": passengers,
        "payment_history": payment_methods,
        "created_at": "2024-05-15T15:00:00",
        "total_baggages": total_baggages,
        "nonfree_baggages": nonfree_baggages,
        "insurance": insurance,
    }
    view.put("reservations", reservation_id, reservation)
    user["reservations"].append(reservation_id)
    return json.dumps(reservation)


def cancel_reservation(view: View, reservation_id: str) -> str:
    _reservation(view, reservation_id)
    reservation = view.edit("reservations", reservation_id)
    reservation["payment_history"] += [
        {"payment_id": payment["payment_id"], "amount": -payment["amount"]}
        for payment in reservation["payment_history"]
    ]
    reservation["status"] = "cancelled"
    return json.dumps(reservation)


def send_certificate(view: View, user_id: str, amount: float) -> str:
    if not view.has("users", user_id):
        raise Refused("user not found")
    held = view.row("users", user_id)["payment_methods"]
    free = [key for key in _CERTIFICATE_IDS if key not in held]
    if not free:
        # Here the reference has no answer at all and its run breaks off.
        raise Refused(f"user {user_id} already has {len(_CERTIFICATE_IDS)} new certificates")
    view.edit("users", user_id)["payment_methods"][free[0]] = {
        "source": "certificate",
        "amount": amount,
        "id": free[0],
    }
    return f"Certificate {free[0]} added to user {user_id} with amount {amount}."


def update_reservation_baggages(
    view: View, reservation_id: str, total_baggages: int, nonfree_baggages: int, payment_id: str
) -> str:
    reservation = _reservation(view, reservation_id)
    price = 50 * max(0, nonfree_baggages - reservation["nonfree_baggages"])
    method = _method(view, reservation, payment_id, price)
    reservation = view.edit("reservations", reservation_id)
    reservation["total_baggages"] = total_baggages
    reservation["nonfree_baggages"] = nonfree_baggages
    _charge(view, reservation, method, payment_id, price)
    return json.dumps(reservation)


def update_reservation_flights(view: View, reservation_id: str, cabin: str, flights: list[Row], payment_id: str) -> str:
    """The cabin is priced but not stored: so the reference does it."""
    reservation = _reservation(view, reservation_id)
    heads = len(reservation["passengers"])
    price: float = 0
    for flight in flights:
        kept = _kept(reservation, flight, cabin)
        if kept is None:
            _price(view, flight, cabin, reservation["passengers"])
        else:
            flight.update(price=kept["price"], origin=kept["origin"], destination=kept["destination"])
        price += flight["price"] * heads
    price -= sum(flight["price"] for flight in reservation["flights"]) * heads
    method = _method(view, reservation, payment_id, price)
    reservation = view.edit("reservations", reservation_id)
    reservation["flights"] = flights
    _charge(view, reservation, method, payment_id, price)
    return json.dumps(reservation)


def update_reservation_passengers(view: View, reservation_id: str, passengers: list[Row]) -> str:
    reservation = _reservation(view, reservation_id)
    if len(passengers) != len(reservation["passengers"]):
        raise Refused("number of passengers does not match")
    reservation = view.edit("reservations", reservation_id)
    reservation["passengers"] = passengers
    return json.dumps(reservation)


def _reservation(view: View, reservation_id: str) -> Row:
    if not view.has("reservations", reservation_id):
        raise Refused("reservation not found")
    reservation = view.row("reservations", reservation_id)
    if len(reservation["payment_history"]) > MAX_PAYMENTS:
        raise Refused(f"reservation {reservation_id} has more than {MAX_PAYMENTS} payments")
    return reservation


def _price(view: View, flight: Row, cabin: str, passengers: Sequence[Row]) -> None:
    """Completes a wanted flight with its price and airports; refused where it cannot be had."""
    number = flight["flight_number"]
    if not view.has("flights", number):
        raise Refused(f"flight {number} not found")
    offer, date = view.row("flights", number), flight["date"]
    if date not in offer["dates"]:
        raise Refused(f"flight {number} not found on date {date}")
    day = offer["dates"][date]
    if day["status"] != "available":
        raise Refused(f"flight {number} not available on date {date}")
    if day["available_seats"][cabin] < len(passengers):
        raise Refused(f"not enough seats on flight {number}")
    flight.update(price=day["prices"][cabin], origin=offer["origin"], destination=offer["destination"])


def _kept(reservation: Row, wanted: Row, cabin: str) -> Row | None:
    """The flight of the reservation that is wanted again, in the cabin it was booked in."""
    for flight in reservation["flights"]:
        same_flight = flight["flight_number"] == wanted["flight_number"] and flight["date"] == wanted["date"]
        if same_flight and cabin == reservation["cabin"]:
            found: Row = flight
            return found
    return None


def _check_payments(held: dict[str, Row], payments: Sequence[Row], price: float) -> None:
    for payment in payments:
        payment_id, amount = payment["payment_id"], payment["amount"]
        if payment_id not in held:
            raise Refused(f"payment method {payment_id} not found")
        method = held[payment_id]
        if method["source"] in ("gift_card", "certificate") and method["amount"] < amount:
            raise Refused(f"not enough balance in payment method {payment_id}")
    paid = sum(payment["amount"] for payment in payments)
    if paid != price:
        raise Refused(f"payment amount does not add up, total price is {price}, but paid {paid}")


def _deduct(held: dict[str, Row], payment_id: str, amount: float) -> None:
    """A certificate is used up whole, so naming it twice fails the second time."""
    source = held[payment_id]["source"]
    if source == "gift_card":
        held[payment_id]["amount"] -= amount
    elif source == "certificate":
        del held[payment_id]


def _method(view: View, reservation: Row, payment_id: str, price: float) -> Row:
    """The method that is to pay for a change; refused where it may not or cannot."""
    held: dict[str, Row] = view.row("users", reservation["user_id"])["payment_methods"]
    if payment_id not in held:
        raise Refused("payment method not found")
    method = held[payment_id]
    if method["source"] == "certificate":
        raise Refused("certificate cannot be used to update reservation")
    if method["source"] == "gift_card" and method["amount"] < price:
        raise Refused("gift card balance is not enough")
    return method


def _charge(view: View, reservation: Row, method: Row, payment_id: str, price: float) -> None:
    if method["source"] == "gift_card":
        view.edit("users", reservation["user_id"])["payment_methods"][payment_id]["amount"] -= price
    if price != 0:
        reservation["payment_history"].append({"payment_id": payment_id, "amount": price})
