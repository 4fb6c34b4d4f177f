"""`boathouse catalog grant`, `revoke` and `grants`: what each principal may do."""

from typing import Annotated

import orjson
import typer

from boathouse.catalog.access.grants import Grant
from boathouse.catalog.access.principals import Principals
from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.names import namespace_of, table_of
from boathouse.catalog.store import Store
from boathouse.cli.catalog_store import StoreAddress, in_store
from boathouse.cli.output import listing, notices
from boathouse.kit.errors import InvalidInput

Name = Annotated[str, typer.Argument(metavar="PRINCIPAL")]
What = Annotated[Privilege, typer.Argument(metavar="PRIVILEGE", help="list, read, write, create or manage.")]
Warehouse = Annotated[str, typer.Option(help="The warehouse it is in; alone, all of it.")]
Levels = Annotated[
    str | None,
    typer.Option(help='Such as sales.eu; where a level holds a dot, a JSON list: \'["sales","v1.2"]\'.'),
]
Table = Annotated[str | None, typer.Option(help="A table or view of that namespace.")]


def grant(
    principal: Name,
    privilege: What,
    *,
    warehouse: Warehouse,
    namespace: Levels = None,
    table: Table = None,
    store: StoreAddress,
) -> None:
    """Let a principal do something with a warehouse, namespace, table or view, and all that is in it."""
    given = Grant(_securable(warehouse, namespace, table), privilege)
    in_store(store, lambda opened: Principals(opened).grant(principal, given))
    notices().print(f"{principal} may {privilege.value} {given.securable.path}.")


def revoke(
    principal: Name,
    privilege: What,
    *,
    warehouse: Warehouse,
    namespace: Levels = None,
    table: Table = None,
    store: StoreAddress,
) -> None:
    """Take a grant back. It is felt within a second."""
    taken = Grant(_securable(warehouse, namespace, table), privilege)
    held = in_store(store, lambda opened: Principals(opened).revoke(principal, taken))
    what = f"{privilege.value} on {taken.securable.path}"
    notices().print(
        f"{principal} no longer holds {what}." if held else f"{principal} did not hold {what}: nothing changed."
    )


def grants(
    principal: Annotated[str | None, typer.Argument(metavar="[PRINCIPAL]", help="Only this one's.")] = None,
    *,
    store: StoreAddress,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """List what was granted to whom."""
    rows = in_store(store, lambda opened: _held(opened, principal))
    if as_json:
        columns = ["principal", "privilege", "warehouse", "namespace", "table"]
        listing(
            columns, [(name, held.privilege.value, *held.securable.parts.values()) for name, held in rows], as_json=True
        )
        return
    listing(
        ["principal", "privilege", "on"],
        [(name, held.privilege.value, held.securable.path) for name, held in rows],
        as_json=False,
    )


async def _held(store: Store, principal: str | None) -> list[tuple[str, Grant]]:
    principals = Principals(store)
    found = [await principals.get(principal)] if principal else await principals.all()
    return [(one.name, held) for one in found for held in one.grants]


def _securable(warehouse: str, namespace: str | None, table: str | None) -> Securable:
    if namespace is None:
        if table is not None:
            raise InvalidInput("A table is named without its namespace.", hint="Add --namespace.")
        return Securable(warehouse)
    within = namespace_of(_levels(namespace))
    return (
        Securable.of_table(warehouse, table_of(within, table)) if table else Securable.of_namespace(warehouse, within)
    )


def _levels(text: str) -> list[object]:
    if not text.startswith("["):
        return list(text.split("."))
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(f"The namespace {text} is not a JSON list: {error}.", hint='Such as ["a","b.c"].') from error
