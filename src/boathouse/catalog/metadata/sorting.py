"""Sort orders: checked against a schema and compared."""

from typing import Any

from boathouse.catalog.errors import BadRequest, IllegalArgument
from boathouse.catalog.metadata.fields import Json, a_string, an_int, as_object, objects
from boathouse.catalog.metadata.partitioning import check_source, sources
from boathouse.catalog.metadata.schemas import fields_by_id

UNSORTED: Json = {"order-id": 0, "fields": []}

_CHOICES = {"direction": ("asc", "desc"), "null-order": ("nulls-first", "nulls-last")}


def checked_order(json: Any) -> Json:
    order = as_object(json, "sort order")
    if order.get("order-id") is not None:
        an_int(order, "order-id")
    for field in objects(order, "fields"):
        sources(field)
        a_string(field, "transform")
        for name, choices in _CHOICES.items():
            if a_string(field, name) not in choices:
                raise BadRequest(f"Invalid {name}: {field[name]}")
    if not order["fields"] and order.get("order-id", 0) != 0:
        raise IllegalArgument(f"Unsorted order ID must be 0: {order['order-id']}")
    if order["fields"] and order.get("order-id") == 0:
        raise IllegalArgument("Sort order ID 0 is reserved for unsorted order")
    return order


def check_compatible(order: Json, schema: Json) -> None:
    columns = fields_by_id(schema)
    for field in order["fields"]:
        for source in sources(field):
            column = columns.get(source)
            check_source(column, column.name if column else str(source), field["transform"], "sort")


def same_order(one: Json, other: Json) -> bool:
    def essence(order: Json) -> list[tuple[Any, ...]]:
        return [(sources(f), f["transform"], f["direction"], f["null-order"]) for f in order["fields"]]

    return essence(one) == essence(other)
