"""The rows of the retail database: fields and types as tau2 has them, in the order of its observations."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic asks for this one before Python 3.12

from trialkit.suites.tau.v2.rows import RowTypes


class Variant(TypedDict):
    item_id: str
    options: dict[str, str]
    available: bool
    price: float


class Product(TypedDict):
    name: str
    product_id: str
    variants: dict[str, Variant]


class UserName(TypedDict):
    first_name: str
    last_name: str


class UserAddress(TypedDict):
    address1: str
    address2: str
    city: str
    country: str
    state: str
    zip: str


class CreditCard(TypedDict):
    source: Literal["credit_card"]
    id: str
    brand: str
    last_four: str


class Paypal(TypedDict):
    source: Literal["paypal"]
    id: str


class GiftCard(TypedDict):
    source: Literal["gift_card"]
    id: str
    balance: float


PaymentMethod = Annotated[CreditCard | GiftCard | Paypal, Field(discriminator="source")]


class User(TypedDict):
    user_id: str
    name: UserName
    address: UserAddress
    email: str
    payment_methods: dict[str, PaymentMethod]
    orders: list[str]


class Fulfillment(TypedDict):
    tracking_id: list[str]
    item_ids: list[str]


class OrderItem(TypedDict):
    name: str
    product_id: str
    item_id: str
    price: float
    options: dict[str, str]


class OrderPayment(TypedDict):
    transaction_type: Literal["payment", "refund"]
    amount: float
    payment_method_id: str


class Order(TypedDict):
    order_id: str
    user_id: str
    address: UserAddress
    items: list[OrderItem]
    status: Literal[
        "processed",
        "pending",
        "pending (item modified)",
        "delivered",
        "cancelled",
        "exchange requested",
        "return requested",
    ]
    fulfillments: list[Fulfillment]
    payment_history: list[OrderPayment]
    cancel_reason: NotRequired[Literal["no longer needed", "ordered by mistake"] | None]
    exchange_items: NotRequired[list[str] | None]
    exchange_new_items: NotRequired[list[str] | None]
    exchange_payment_method_id: NotRequired[str | None]
    exchange_price_difference: NotRequired[float | None]
    return_items: NotRequired[list[str] | None]
    return_payment_method_id: NotRequired[str | None]


ROWS = RowTypes(
    {"products": Product, "users": User, "orders": Order},
    nulls={
        "orders": (
            "cancel_reason",
            "exchange_items",
            "exchange_new_items",
            "exchange_payment_method_id",
            "exchange_price_difference",
            "return_items",
            "return_payment_method_id",
        )
    },
)
