"""Updates of a table's sort orders."""

from boathouse.catalog.errors import IllegalArgument, Validation
from boathouse.catalog.metadata.draft import TableDraft
from boathouse.catalog.metadata.fields import Json, an_int, an_object, by_id, next_id
from boathouse.catalog.metadata.sorting import check_compatible, checked_order, same_order


def add_sort_order(draft: TableDraft, update: Json) -> None:
    """An order that sorts like one already there keeps its id; it is the last added only if this commit added it."""
    order = checked_order(an_object(update, "sort-order"))
    orders: list[Json] = draft.get("sort-orders")
    found = next((known["order-id"] for known in orders if same_order(known, order)), None)
    if found is not None:
        draft.last_order = found if found in draft.added_orders else None
        return
    # 0 is always the unsorted order.
    order_id = next_id(orders, "order-id", 1) if order["fields"] else 0
    schema = draft.schema()
    if schema is None:
        raise Validation("Attempting to add a sort order before a schema is added")
    check_compatible(order, schema)
    draft.append("sort-orders", {**order, "order-id": order_id})
    draft.added_orders.append(order_id)
    draft.last_order = order_id


def set_default_sort_order(draft: TableDraft, update: Json) -> None:
    order_id = an_int(update, "sort-order-id")
    if order_id == -1:
        if draft.last_order is None:
            raise Validation("Cannot set last added sort order: no sort order has been added")
        order_id = draft.last_order
    if by_id(draft.get("sort-orders"), "order-id", order_id) is None:
        raise IllegalArgument(f"Cannot set default sort order to unknown sort order: {order_id}")
    if order_id != draft.get("default-sort-order-id"):
        draft.set("default-sort-order-id", order_id)
