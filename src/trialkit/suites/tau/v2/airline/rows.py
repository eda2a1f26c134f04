"""The rows of the airline database: fields and types as tau2 has them, in the order of its observations."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic asks for this one before Python 3.12

from trialkit.suites.tau.v2.rows import RowTypes

Cabin = Literal["business", "economy", "basic_economy"]


class Name(TypedDict):
    first_name: str
    last_name: str


class Address(TypedDict):
    address1: str
    address2: NotRequired[str | None]
    city: str
    country: str
    state: str
    zip: str


class CreditCard(TypedDict):
    source: Literal["credit_card"]
    id: str
    brand: str
    last_four: str


class GiftCard(TypedDict):
    source: Literal["gift_card"]
    id: str
    amount: float


class Certificate(TypedDict):
    source: Literal["certificate"]
    id: str
    amount: float


class Passenger(TypedDict):
    first_name: str
    last_name: str
    dob: str


class User(TypedDict):
    user_id: str
    name: Name
    address: Address
    email: str
    dob: str
    payment_methods: dict[str, Annotated[CreditCard | GiftCard | Certificate, Field(discriminator="source")]]
    saved_passengers: list[Passenger]
    membership: Literal["gold", "silver", "regular"]
    reservations: list[str]


class Available(TypedDict):
    status: Literal["available"]
    available_seats: dict[Cabin, int]
    prices: dict[Cabin, int]


class OnTime(TypedDict):
    status: Literal["on time"]
    estimated_departure_time_est: str
    estimated_arrival_time_est: str


class Flying(TypedDict):
    status: Literal["flying"]
    actual_departure_time_est: str
    estimated_arrival_time_est: str


class Landed(TypedDict):
    status: Literal["landed"]
    actual_departure_time_est: str
    actual_arrival_time_est: str


class Cancelled(TypedDict):
    status: Literal["cancelled"]


class Delayed(TypedDict):
    status: Literal["delayed"]
    estimated_departure_time_est: str
    estimated_arrival_time_est: str


FlightDay = Annotated[Available | OnTime | Flying | Landed | Cancelled | Delayed, Field(discriminator="status")]


class Flight(TypedDict):
    flight_number: str
    origin: str
    destination: str
    scheduled_departure_time_est: str
    scheduled_arrival_time_est: str
    dates: dict[str, FlightDay]


class FlightInfo(TypedDict):
    flight_number: str
    date: str


class ReservationFlight(TypedDict):
    flight_number: str
    origin: str
    destination: str
    date: str
    price: int


class Payment(TypedDict):
    payment_id: str
    amount: int


class Reservation(TypedDict):
    reservation_id: str
    user_id: str
    origin: str
    destination: str
    flight_type: Literal["round_trip", "one_way"]
    cabin: Cabin
    flights: list[ReservationFlight]
    passengers: list[Passenger]
    payment_history: list[Payment]
    created_at: str
    total_baggages: int
    nonfree_baggages: int
    insurance: Literal["yes", "no"]
    status: NotRequired[Literal["cancelled"] | None]


ROWS = RowTypes({"flights": Flight, "users": User, "reservations": Reservation}, nulls={"reservations": ("status",)})
