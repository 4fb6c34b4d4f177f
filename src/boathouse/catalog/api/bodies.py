"""What several operations read in a body: the name of a table or view, and a change to one."""

from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata.fields import Json, a_list, an_object, objects
from boathouse.catalog.names import TableName, namespace_of, table_of
from boathouse.catalog.service.changes import Change


def table_from(json: Json) -> TableName:
    return table_of(namespace_of(a_list(json, "namespace")), json.get("name"))


def change_from(json: Json, table: TableName) -> Change:
    """What a commit asks for one table or view. An identifier in it must agree with the one in the path."""
    if json.get("identifier") is not None and table_from(an_object(json, "identifier")) != table:
        raise BadRequest(f"Invalid commit: its identifier is not {table}")
    requirements = objects(json, "requirements") if json.get("requirements") is not None else []
    return Change(table, requirements, objects(json, "updates") if json.get("updates") is not None else [])


def changes_from(json: Json) -> list[Change]:
    """What a transaction asks for each of its tables."""
    asked = objects(json, "table-changes")
    return [change_from(change, table_from(an_object(change, "identifier"))) for change in asked]
