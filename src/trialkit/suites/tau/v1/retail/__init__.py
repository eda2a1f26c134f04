"""tau-bench's shop: its tables and tools."""

from trialkit.suites.tau.v1.retail.lookups import (
    find_user_id_by_email,
    find_user_id_by_name_zip,
    get_order_details,
    get_product_details,
    get_user_details,
    list_all_product_types,
)
from trialkit.suites.tau.v1.retail.orders import (
    cancel_pending_order,
    exchange_delivered_order_items,
    modify_pending_order_address,
    modify_pending_order_items,
    modify_pending_order_payment,
    modify_user_address,
    return_delivered_order_items,
)
from trialkit.suites.tau.v1.tools import Toolbox, calculate, think, transfer_to_human_agents

TABLES = ("orders", "products", "users")
TOOLBOX = Toolbox(
    (
        calculate,
        cancel_pending_order,
        exchange_delivered_order_items,
        find_user_id_by_email,
        find_user_id_by_name_zip,
        get_order_details,
        get_product_details,
        get_user_details,
        list_all_product_types,
        modify_pending_order_address,
        modify_pending_order_items,
        modify_pending_order_payment,
        modify_user_address,
        return_delivered_order_items,
        think,
        transfer_to_human_agents,
    )
)
