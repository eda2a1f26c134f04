"""What the airline tools do. Checks and writes are in the reference's order: some stay when a later step fails."""

from collections.abc import Iterator, Sequence

from trialkit.suites.tau.common.database import Row, View
from trialkit.suites.tau.v1.airline.tools import AIRPORTS, MAX_PAYMENTS
from trialkit.suites.tau.v2.toolkit import Argument, Toolkit, calculated

#: The reference has no more than these to give to new rows; a fourth is refused.
_NEW_RESERVATIONS = ("HATHAT", "HATHAU", "HATHAV")
_NEW_CERTIFICATES = ("certificate_3221322", "certificate_3221323", "certificate_3221324")
_NOW = "2024-05-15T15:00:00"
_INSURANCE_PRICE = 30
_BAGGAGE_PRICE = 50


class AirlineTools(Toolkit):
    """Named as the reference's, because Python puts the name into its message about a wrong call."""

    def calculate(self, expression: Argument) -> str:
        return calculated(expression)

    def transfer_to_human_agents(self, summary: Argument) -> str:  # noqa: ARG002 - the tool's own argument
        return "Transfer successful"

    def get_user_details(self, user_id: Argument) -> Row:
        return self._found("users", user_id, "User")

    def get_reservation_details(self, reservation_id: Argument) -> Row:
        return self._found("reservations", reservation_id, "Reservation")

    def get_flight_status(self, flight_number: Argument, date: Argument) -> str:
        return str(self._day(flight_number, date)["status"])

    def list_all_airports(self) -> list[Row]:
        return [{"iata": code, "city": city} for code, city in AIRPORTS.items()]

    def search_direct_flight(self, origin: Argument, destination: Argument, date: Argument) -> list[Row]:
        return list(direct_flights(self._view, date, origin, destination))

    def search_onestop_flight(self, origin: Argument, destination: Argument, date: Argument) -> list[list[Row]]:
        return list(one_stop_flights(self._view, date, origin, destination))

    def send_certificate(self, user_id: Argument, amount: Argument) -> str:
        methods = self._found("users", user_id, "User")["payment_methods"]
        for key in _NEW_CERTIFICATES:
            if key not in methods:
                certificate = self._rows.part("Certificate", {"source": "certificate", "id": key, "amount": amount})
                self._view.edit("users", user_id)["payment_methods"][key] = certificate
                return f"Certificate {key} added to user {user_id} with amount {amount}."
        raise ValueError("Too many certificates")

    def cancel_reservation(self, reservation_id: Argument) -> Row:
        self._payable(reservation_id)
        reservation = self._view.edit("reservations", reservation_id)
        reservation["payment_history"] += [
            {"payment_id": paid["payment_id"], "amount": -paid["amount"]} for paid in reservation["payment_history"]
        ]
        reservation["status"] = "cancelled"
        return reservation

    def book_reservation(  # noqa: PLR0913, PLR0917 - the tool's own arguments
        self,
        user_id: Argument,
        origin: Argument,
        destination: Argument,
        flight_type: Argument,
        cabin: Argument,
        flights: Argument,
        passengers: Argument,
        payment_methods: Argument,
        total_baggages: Argument,
        nonfree_baggages: Argument,
        insurance: Argument,
    ) -> Row:
        flights = self._read("FlightInfo", flights)
        passengers = self._read("Passenger", passengers)
        payment_methods = self._read("Payment", payment_methods)
        self._found("users", user_id, "User")
        reservation = self._rows.row(
            "reservations",
            {
                "reservation_id": self._new_reservation_id(),
                "user_id": user_id,
                "origin": origin,
                "destination": destination,
                "flight_type": flight_type,
                "cabin": cabin,
                "flights": [],
                "passengers": passengers,
                "payment_history": payment_methods,
                "created_at": _NOW,
                "total_baggages": total_baggages,
                "nonfree_baggages": nonfree_baggages,
                "insurance": insurance,
            },
        )
        reservation["flights"] = [self._priced(flight, cabin, len(passengers)) for flight in flights]
        price = sum(flight["price"] for flight in reservation["flights"]) * len(passengers)
        if insurance == "yes":
            price += _INSURANCE_PRICE * len(passengers)
        price += _BAGGAGE_PRICE * nonfree_baggages
        self._pay(user_id, payment_methods, price)
        for flight in reservation["flights"]:
            day = self._view.edit("flights", flight["flight_number"])["dates"][flight["date"]]
            day["available_seats"][cabin] -= len(passengers)
        self._view.put("reservations", reservation["reservation_id"], reservation)
        self._view.edit("users", user_id)["reservations"].append(reservation["reservation_id"])
        return reservation

    def update_reservation_baggages(
        self, reservation_id: Argument, total_baggages: Argument, nonfree_baggages: Argument, payment_id: Argument
    ) -> Row:
        reservation = self._payable(reservation_id)
        self._found("users", reservation["user_id"], "User")
        price = _BAGGAGE_PRICE * max(0, nonfree_baggages - reservation["nonfree_baggages"])
        payments = self._pay_for_update(reservation["user_id"], payment_id, price)
        reservation = self._view.edit("reservations", reservation_id)
        reservation["payment_history"] += payments
        reservation["total_baggages"] = total_baggages
        reservation["nonfree_baggages"] = nonfree_baggages
        return reservation

    def update_reservation_flights(
        self, reservation_id: Argument, cabin: Argument, flights: Argument, payment_id: Argument
    ) -> Row:
        flights = self._read("FlightInfo", flights)
        reservation = self._payable(reservation_id)
        self._found("users", reservation["user_id"], "User")
        seats = len(reservation["passengers"])
        kept = {(flight["flight_number"], flight["date"]): flight for flight in reversed(reservation["flights"])}
        if cabin != reservation["cabin"]:
            kept = {}
        chosen = [
            kept.get((flight["flight_number"], flight["date"])) or self._priced(flight, cabin, seats)
            for flight in flights
        ]
        price = seats * (
            sum(flight["price"] for flight in chosen) - sum(flight["price"] for flight in reservation["flights"])
        )
        payments = self._pay_for_update(reservation["user_id"], payment_id, price)
        reservation = self._view.edit("reservations", reservation_id)
        reservation["payment_history"] += payments
        reservation["flights"] = chosen
        reservation["cabin"] = cabin
        return reservation

    def update_reservation_passengers(self, reservation_id: Argument, passengers: Argument) -> Row:
        passengers = self._read("Passenger", passengers)
        reservation = self._found("reservations", reservation_id, "Reservation")
        if len(passengers) != len(reservation["passengers"]):
            raise ValueError("Number of passengers does not match")
        reservation = self._view.edit("reservations", reservation_id)
        reservation["passengers"] = passengers
        return reservation

    def _found(self, table: str, key: Argument, what: str) -> Row:
        if not self._view.has(table, key):
            raise ValueError(f"{what} {key} not found")
        return self._view.row(table, key)

    def _payable(self, reservation_id: Argument) -> Row:
        reservation = self._found("reservations", reservation_id, "Reservation")
        if len(reservation["payment_history"]) > MAX_PAYMENTS:
            raise ValueError(f"Reservation {reservation_id} has more than {MAX_PAYMENTS} payments")
        return reservation

    def _day(self, flight_number: Argument, date: Argument) -> Row:
        days: dict[str, Row] = self._found("flights", flight_number, "Flight")["dates"]
        if date not in days:
            raise ValueError(f"Flight {flight_number} not found on date {date}")
        return days[date]

    def _new_reservation_id(self) -> str:
        for key in _NEW_RESERVATIONS:
            if not self._view.has("reservations", key):
                return key
        raise ValueError("Too many reservations")

    def _priced(self, wanted: Row, cabin: Argument, seats: int) -> Row:
        """The flight as a reservation lists it, if that many seats are free."""
        number, date = wanted["flight_number"], wanted["date"]
        day = self._day(number, date)
        if day["status"] != "available":
            raise ValueError(f"Flight {number} not available on date {date}")
        if day["available_seats"][cabin] < seats:
            raise ValueError(f"Not enough seats on flight {number}")
        flight = self._view.row("flights", number)
        return {
            "flight_number": number,
            "origin": flight["origin"],
            "destination": flight["destination"],
            "date": date,
            "price": day["prices"][cabin],
        }

    def _pay(self, user_id: str, payments: Sequence[Row], price: Argument) -> None:
        """Take a booking's payments; they have to be the user's, covered, and add up to the price."""
        methods = self._view.row("users", user_id)["payment_methods"]
        for payment in payments:
            key = payment["payment_id"]
            if key not in methods:
                raise ValueError(f"Payment method {key} not found")
            if methods[key]["source"] in {"gift_card", "certificate"} and methods[key]["amount"] < payment["amount"]:
                raise ValueError(f"Not enough balance in payment method {key}")
        paid = sum(payment["amount"] for payment in payments)
        if paid != price:
            raise ValueError(f"Payment amount does not add up, total price is {price}, but paid {paid}")
        methods = self._view.edit("users", user_id)["payment_methods"]
        for payment in payments:
            method = methods[payment["payment_id"]]
            if method["source"] == "gift_card":
                method["amount"] -= payment["amount"]
            elif method["source"] == "certificate":
                # A certificate named twice is gone the second time: an error that leaves the first half done.
                del methods[payment["payment_id"]]

    def _pay_for_update(self, user_id: str, payment_id: Argument, price: Argument) -> list[Row]:
        """Take what a change costs, or give back what it saves; answers what to add to the reservation's payments."""
        methods = self._view.row("users", user_id)["payment_methods"]
        if payment_id not in methods:
            raise ValueError("Payment method not found")
        source = methods[payment_id]["source"]
        if source == "certificate":
            raise ValueError("Certificate cannot be used to update reservation")
        if source == "gift_card":
            if methods[payment_id]["amount"] < price:
                raise ValueError("Gift card balance is not enough")
            self._view.edit("users", user_id)["payment_methods"][payment_id]["amount"] -= price
        return [self._rows.part("Payment", {"payment_id": payment_id, "amount": price})] if price != 0 else []

    def _read(self, model: str, values: Argument) -> Argument:
        """Objects as parts of that model. Anything else stays as it is and fails later or never, as in tau2."""
        if all(isinstance(value, dict) for value in values):
            return [self._rows.part(model, value) for value in values]
        return values


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
