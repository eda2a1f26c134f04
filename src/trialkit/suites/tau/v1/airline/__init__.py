"""tau-bench's airline: its tables and tools."""

from trialkit.suites.tau.v1.airline.lookups import (
    get_reservation_details,
    get_user_details,
    list_all_airports,
    search_direct_flight,
    search_onestop_flight,
)
from trialkit.suites.tau.v1.airline.reservations import (
    book_reservation,
    cancel_reservation,
    send_certificate,
    update_reservation_baggages,
    update_reservation_flights,
    update_reservation_passengers,
)
from trialkit.suites.tau.v1.tools import Toolbox, calculate, think, transfer_to_human_agents

TABLES = ("flights", "reservations", "users")
TOOLBOX = Toolbox(
    (
        book_reservation,
        calculate,
        cancel_reservation,
        get_reservation_details,
        get_user_details,
        list_all_airports,
        search_direct_flight,
        search_onestop_flight,
        send_certificate,
        think,
        transfer_to_human_agents,
        update_reservation_baggages,
        update_reservation_flights,
        update_reservation_passengers,
    )
)
