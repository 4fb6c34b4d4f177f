"""Tables over HTTP."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boathouse.catalog.api.requests import catalog_of, flag, namespace_of, page_of, parse, table_name_of
from boathouse.catalog.api.responses import changed_once, etag, json_response, table_response
from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata.fields import Json, a_bool, a_list, a_string, an_object, objects, string_map
from boathouse.catalog.names import TableName, table_of
from boathouse.catalog.names import namespace_of as namespace_from
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.changes import TableChange
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.service.tables import NewTable


async def list_tables(request: Request) -> Response:
    found, following = await catalog_of(request).tables.list(namespace_of(request), page_of(request))
    return json_response({"identifiers": [identifier(table) for table in found], "next-page-token": following})


async def create_table(request: Request) -> Response:
    async def create(body: bytes, ticket: Ticket | None) -> Answer:
        asked = parse(body)
        new = _new_table(request, asked)
        tables = catalog_of(request).tables
        if asked.get("stage-create") is not None and a_bool(asked, "stage-create"):
            return Answer(200, {"metadata": await tables.stage(new), "config": {}})
        return await tables.create(new, ticket)

    return await changed_once(request, create)


async def load_table(request: Request) -> Response:
    snapshots = request.query_params.get("snapshots", "all")
    if snapshots not in {"all", "refs"}:
        raise BadRequest(f"Invalid value for query parameter snapshots: {snapshots[:100]!r}")
    file = await catalog_of(request).tables.load(table_name_of(request))
    tag = etag(file.location, referenced=snapshots == "refs")
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    return table_response(file, referenced=snapshots == "refs")


async def table_exists(request: Request) -> Response:
    await catalog_of(request).tables.check_exists(table_name_of(request))
    return Response(status_code=204)


async def commit_table(request: Request) -> Response:
    async def commit(body: bytes, ticket: Ticket | None) -> Answer:
        table = table_name_of(request)
        return await catalog_of(request).changes.commit(change_from(parse(body), table), ticket)

    return await changed_once(request, commit)


async def drop_table(request: Request) -> Response:
    async def drop(_body: bytes, ticket: Ticket | None) -> Answer:
        purge = flag(request, "purgeRequested")
        return await catalog_of(request).tables.drop(table_name_of(request), ticket, purge=purge)

    return await changed_once(request, drop)


async def register_table(request: Request) -> Response:
    async def register(body: bytes, ticket: Ticket | None) -> Answer:
        asked = parse(body)
        table = table_of(namespace_of(request), asked.get("name"))
        request.state.table = str(table)
        overwrite = asked.get("overwrite") is not None and a_bool(asked, "overwrite")
        location = a_string(asked, "metadata-location")
        return await catalog_of(request).tables.register(table, location, ticket, overwrite=overwrite)

    return await changed_once(request, register)


async def rename_table(request: Request) -> Response:
    async def rename(body: bytes, ticket: Ticket | None) -> Answer:
        asked = parse(body)
        source = table_from(an_object(asked, "source"))
        target = table_from(an_object(asked, "destination"))
        request.state.table = str(source)
        return await catalog_of(request).tables.rename(source, target, ticket)

    return await changed_once(request, rename)


def identifier(table: TableName) -> Json:
    return {"namespace": table.namespace.levels, "name": table.name}


def table_from(json: Json) -> TableName:
    return table_of(namespace_from(a_list(json, "namespace")), json.get("name"))


def change_from(json: Json, table: TableName) -> TableChange:
    """What a commit asks for one table. An identifier in it must agree with the one in the path."""
    if json.get("identifier") is not None and table_from(an_object(json, "identifier")) != table:
        raise BadRequest(f"Invalid commit: its identifier is not that of table {table}")
    requirements = objects(json, "requirements") if json.get("requirements") is not None else []
    return TableChange(table, requirements, objects(json, "updates") if json.get("updates") is not None else [])


def _new_table(request: Request, asked: Json) -> NewTable:
    name = table_of(namespace_of(request), asked.get("name"))
    request.state.table = str(name)
    return NewTable(
        name=name,
        schema=an_object(asked, "schema"),
        location=a_string(asked, "location") if asked.get("location") is not None else None,
        partition_spec=an_object(asked, "partition-spec") if asked.get("partition-spec") is not None else None,
        write_order=an_object(asked, "write-order") if asked.get("write-order") is not None else None,
        properties=string_map(asked, "properties") if asked.get("properties") is not None else {},
    )


ROUTES = [
    Route("/v1/{prefix}/namespaces/{namespace}/tables/{table}", table_exists, methods=["HEAD"]),
    Route("/v1/{prefix}/namespaces/{namespace}/tables/{table}", load_table, methods=["GET"]),
    Route("/v1/{prefix}/namespaces/{namespace}/tables/{table}", commit_table, methods=["POST"]),
    Route("/v1/{prefix}/namespaces/{namespace}/tables/{table}", drop_table, methods=["DELETE"]),
    Route("/v1/{prefix}/namespaces/{namespace}/tables", list_tables, methods=["GET"]),
    Route("/v1/{prefix}/namespaces/{namespace}/tables", create_table, methods=["POST"]),
    Route("/v1/{prefix}/namespaces/{namespace}/register", register_table, methods=["POST"]),
    Route("/v1/{prefix}/tables/rename", rename_table, methods=["POST"]),
]
