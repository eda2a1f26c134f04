"""A small retail source of our own: one customer, one mug, two orders, in the layout of a checkout of tau2."""

import json
from pathlib import Path
from typing import Any

ADDRESS = {"address1": "1 Quay", "address2": "", "city": "Bergen", "country": "Norway", "state": "VL", "zip": "5003"}
DATABASE: dict[str, dict[str, Any]] = {
    "products": {
        "p1": {
            "name": "Mug",
            "product_id": "p1",
            "variants": {
                "mug-red": {"item_id": "mug-red", "options": {"colour": "red"}, "available": True, "price": 10},
                "mug-blue": {"item_id": "mug-blue", "options": {"colour": "blue"}, "available": True, "price": 12.5},
                "mug-gold": {"item_id": "mug-gold", "options": {"colour": "gold"}, "available": False, "price": 99.0},
            },
        }
    },
    "users": {
        "ada_1": {
            "user_id": "ada_1",
            "name": {"first_name": "Ada", "last_name": "Berg"},
            "address": ADDRESS,
            "email": "ada@example.org",
            "payment_methods": {
                "gift_card_1": {"source": "gift_card", "id": "gift_card_1", "balance": 20},
                "paypal_1": {"source": "paypal", "id": "paypal_1"},
            },
            "orders": ["#W1", "#W2"],
        }
    },
    "orders": {
        key: {
            "order_id": key,
            "user_id": "ada_1",
            "address": ADDRESS,
            "items": [
                {"name": "Mug", "product_id": "p1", "item_id": "mug-red", "price": 10, "options": {"colour": "red"}}
            ],
            "status": status,
            "fulfillments": [],
            "payment_history": [{"transaction_type": "payment", "amount": 10, "payment_method_id": "paypal_1"}],
        }
        for key, status in (("#W1", "pending"), ("#W2", "delivered"))
    },
}

_TOOLS = '''
from tau2.environment.toolkit import ToolKitBase, ToolType, is_tool

raise SystemExit("this file is read, never run")


class RetailTools(ToolKitBase):
    @is_tool(ToolType.READ)
    def get_order_details(self, order_id: str) -> dict:
        """Look an order up.

        Args:
            order_id: Which one.
        """

    @is_tool(ToolType.READ)
    def get_item_details(self, item_id: str) -> dict:
        """Look an item up."""

    @is_tool(ToolType.WRITE)
    def cancel_pending_order(self, order_id: str, reason: str) -> dict:
        """Cancel an order."""

    @is_tool(ToolType.WRITE)
    def modify_pending_order_items(
        self, order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str
    ) -> dict:
        """Change what is in an order."""

    def helper(self, anything: str) -> None:
        """Not a tool."""
'''
#: With the tools that no test looks at, for a source has to have them all.
TOOLS = _TOOLS + "".join(
    f"\n    @is_tool(ToolType.READ)\n    def {name}(self, {', '.join(f'{part}: str' for part in parts)}) -> dict: ...\n"
    for name, parts in {
        "calculate": ("expression",),
        "exchange_delivered_order_items": ("order_id",),
        "find_user_id_by_email": ("email",),
        "find_user_id_by_name_zip": ("zip",),
        "get_product_details": ("product_id",),
        "get_user_details": ("user_id",),
        "list_all_product_types": (),
        "modify_pending_order_address": ("order_id",),
        "modify_pending_order_payment": ("order_id", "payment_method_id"),
        "modify_user_address": ("user_id",),
        "return_delivered_order_items": ("order_id",),
        "transfer_to_human_agents": ("summary",),
    }.items()
)

DATA_MODEL = """
class Variant(BaseModel):
    item_id: str
    options: Dict[str, str]
    available: bool
    price: float


class Product(BaseModel):
    name: str
    product_id: str
    variants: Dict[str, Variant]


class UserName(BaseModel):
    first_name: str
    last_name: str


class UserAddress(BaseModel):
    address1: str
    address2: str
    city: str
    country: str
    state: str
    zip: str


class Paypal(BaseModel):
    source: Literal["paypal"]
    id: str


class GiftCard(BaseModel):
    source: Literal["gift_card"]
    id: str
    balance: float


class User(BaseModel):
    user_id: str
    name: UserName
    address: UserAddress
    email: str
    payment_methods: Dict[str, Union[Paypal, GiftCard]]
    orders: List[str]


class OrderItem(BaseModel):
    name: str
    product_id: str
    item_id: str
    price: float
    options: Dict[str, str]


class OrderPayment(BaseModel):
    transaction_type: Literal["payment", "refund"]
    amount: float
    payment_method_id: str


class Order(BaseModel):
    order_id: str
    user_id: str
    address: UserAddress
    items: List[OrderItem]
    status: Literal["pending", "pending (item modified)", "delivered", "cancelled"]
    fulfillments: List[str]
    payment_history: List[OrderPayment]
    cancel_reason: Optional[str] = Field(description="Why.", default=None)


class RetailDB(DB):
    products: Dict[str, Product] = Field(description="By their ids.")
    users: Dict[str, User]
    orders: Dict[str, Order]
"""
GUIDELINES = "Play the customer. Say ###STOP### at the end."
CANCEL = {"order_id": "#W1", "reason": "no longer needed"}


def task(task_id: str = "t", **parts: Any) -> dict[str, Any]:
    """A task that asks for the cancelled order #W1, unless `parts` says otherwise."""
    wish = {"domain": "retail", "reason_for_call": "Cancel #W1.", "task_instructions": "Be brief."}
    return {
        "id": task_id,
        "user_scenario": {"persona": None, "instructions": wish},
        "evaluation_criteria": {
            "actions": [{"action_id": "a", "name": "cancel_pending_order", "arguments": CANCEL}],
            "communicate_info": [],
        },
    } | parts


class Tiny:
    def __init__(self, folder: Path) -> None:
        self.root = folder
        self.data = folder / "data" / "tau2" / "domains" / "retail"
        self.code = folder / "src" / "tau2" / "domains" / "retail"
        self.user = folder / "data" / "tau2" / "user_simulator"

    def write(self, *tasks: dict[str, Any], splits: Any = None, database: Any = DATABASE, tools: str = TOOLS) -> Path:
        for folder in (self.data, self.code, self.user):
            folder.mkdir(parents=True, exist_ok=True)
        (self.code / "tools.py").write_text(tools, encoding="utf-8")
        (self.code / "data_model.py").write_text(DATA_MODEL, encoding="utf-8")
        (self.user / "simulation_guidelines.md").write_text(GUIDELINES, encoding="utf-8")
        (self.data / "policy.md").write_text("Be kind.", encoding="utf-8")
        (self.data / "db.json").write_text(json.dumps(database), encoding="utf-8")
        (self.data / "tasks.json").write_text(json.dumps(tasks or [task()]), encoding="utf-8")
        if splits is not None:
            (self.data / "split_tasks.json").write_text(json.dumps(splits), encoding="utf-8")
        return self.root
