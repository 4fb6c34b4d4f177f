"""Tables over HTTP."""

from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.api.bodies import change_from
from boathouse.catalog.api.delegation import delegated
from boathouse.catalog.api.operations import Operation, asker_of, on_namespace, on_table, requires
from boathouse.catalog.api.relations import listed, named, registered, renamed
from boathouse.catalog.api.requests import catalog_of, flag, has_version, json_of, parameter, parse, table_name_of
from boathouse.catalog.api.requirements import COMMITTING, DROPPING, REGISTERING, RENAMING
from boathouse.catalog.api.responses import changed_once, etag, version_response
from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata.fields import Json, a_bool, a_string, an_object, string_map
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.service.storage_access import Delegation
from boathouse.catalog.service.tables import NewTable


async def list_tables(request: Request) -> Response:
    return await listed(request, catalog_of(request).tables)


async def create_table(request: Request) -> Response:
    async def create(body: bytes, ticket: Ticket | None) -> Answer:
        asked = parse(body)
        new = _new_table(request, asked)
        tables = catalog_of(request).tables
        if asked.get("stage-create") is not None and a_bool(asked, "stage-create"):
            return await tables.stage(new, asker_of(request), ticket)
        return await tables.create(new, asker_of(request), ticket)

    async def delegate(answer: Answer) -> Delegation | None:
        table, version = named(request, await json_of(request)), answer.version
        if version is not None:
            return await delegated(request, table, lambda: version.metadata)
        return await delegated(request, table, lambda: (answer.body or {})["metadata"], staged=True)

    return await changed_once(request, create, delegate)


async def load_table(request: Request) -> Response:
    snapshots = parameter(request, "snapshots", "all")
    if snapshots not in {"all", "refs"}:
        raise BadRequest(f"Invalid value for query parameter snapshots: {snapshots[:100]!r}")
    table = table_name_of(request)
    file = await catalog_of(request).tables.load(table)
    delegation = await delegated(request, table, lambda: file.metadata)
    tag = etag(file.location, referenced=snapshots == "refs", signed=delegation is not None)
    if has_version(request, tag) and not (delegation and delegation.secret):
        return Response(status_code=304, headers={"ETag": tag})
    return version_response(file, referenced=snapshots == "refs", delegation=delegation)


async def table_exists(request: Request) -> Response:
    await catalog_of(request).tables.check_exists(table_name_of(request))
    return Response(status_code=204)


async def commit_table(request: Request) -> Response:
    async def commit(body: bytes, ticket: Ticket | None) -> Answer:
        change = change_from(parse(body), table_name_of(request))
        return await catalog_of(request).changes.commit(change, asker_of(request), ticket)

    return await changed_once(request, commit)


async def drop_table(request: Request) -> Response:
    async def drop(_body: bytes, ticket: Ticket | None) -> Answer:
        tables, table = catalog_of(request).tables, table_name_of(request)
        return await (tables.purge if flag(request, "purgeRequested") else tables.drop)(table, ticket)

    return await changed_once(request, drop)


async def register_table(request: Request) -> Response:
    async def delegate(answer: Answer) -> Delegation | None:
        table, version = named(request, await json_of(request)), answer.version
        return await delegated(request, table, lambda: version.metadata) if version else None

    return await registered(request, catalog_of(request).tables, delegate)


async def unregister_table(request: Request) -> Response:
    async def unregister(_body: bytes, ticket: Ticket | None) -> Answer:
        return await catalog_of(request).tables.unregister(table_name_of(request), ticket)

    return await changed_once(request, unregister)


async def rename_table(request: Request) -> Response:
    return await renamed(request, catalog_of(request).tables)


def _new_table(request: Request, asked: Json) -> NewTable:
    return NewTable(
        name=named(request, asked),
        schema=an_object(asked, "schema"),
        location=a_string(asked, "location") if asked.get("location") is not None else None,
        partition_spec=an_object(asked, "partition-spec") if asked.get("partition-spec") is not None else None,
        write_order=an_object(asked, "write-order") if asked.get("write-order") is not None else None,
        properties=string_map(asked, "properties") if asked.get("properties") is not None else {},
    )


_TABLES = "/v1/{prefix}/namespaces/{namespace}/tables"
_TABLE = f"{_TABLES}/{{table}}"

ROUTES = [
    Operation("HEAD", _TABLE, table_exists, requires(Privilege.LIST, on_table)),
    Operation("GET", _TABLE, load_table, requires(Privilege.READ, on_table)),
    Operation("POST", _TABLE, commit_table, COMMITTING),
    Operation("DELETE", _TABLE, drop_table, DROPPING),
    Operation("GET", _TABLES, list_tables, requires(Privilege.LIST, on_namespace)),
    Operation("POST", _TABLES, create_table, requires(Privilege.CREATE, on_namespace)),
    Operation("POST", "/v1/{prefix}/namespaces/{namespace}/register", register_table, REGISTERING),
    Operation("POST", f"{_TABLE}/unregister", unregister_table, requires(Privilege.WRITE, on_table)),
    Operation("POST", "/v1/{prefix}/tables/rename", rename_table, RENAMING),
]
