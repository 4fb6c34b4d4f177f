"""What tables and views have in common over HTTP: listing, registering, renaming."""

import orjson
from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.securables import Securable
from boathouse.catalog.api.bodies import table_from
from boathouse.catalog.api.operations import asker_of, on_namespace, visible
from boathouse.catalog.api.requests import namespace_of, noted, page_of, parse
from boathouse.catalog.api.responses import Delegate, Prepared, changed_once
from boathouse.catalog.metadata.fields import Json, a_bool, a_string, an_object
from boathouse.catalog.names import Namespace, TableName, table_of
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.relations import Relations
from boathouse.catalog.service.repeats import Ticket


async def listed(request: Request, relations: Relations) -> Response:
    namespace = namespace_of(request)

    def of_name(warehouse: str, name: str) -> Securable:
        return Securable(warehouse, namespace.levels, name)

    seen = visible(request, on_namespace(request), of_name)
    found, following = await relations.list(namespace, page_of(request), seen)
    identifiers = _identifiers(namespace, found)
    return Prepared(b'{"identifiers":%b,"next-page-token":%b}' % (identifiers, orjson.dumps(following)))


async def registered(request: Request, relations: Relations, delegate: Delegate | None = None) -> Response:
    async def register(body: bytes, ticket: Ticket | None) -> Answer:
        asked = parse(body)
        overwrite = asked.get("overwrite") is not None and a_bool(asked, "overwrite")
        name, location = named(request, asked), a_string(asked, "metadata-location")
        return await relations.register(name, location, asker_of(request), ticket, overwrite=overwrite)

    return await changed_once(request, register, delegate)


async def renamed(request: Request, relations: Relations) -> Response:
    async def rename(body: bytes, ticket: Ticket | None) -> Answer:
        asked = parse(body)
        source, target = (table_from(an_object(asked, end)) for end in ("source", "destination"))
        noted(request, source)
        return await relations.rename(source, target, ticket)

    return await changed_once(request, rename)


def _identifiers(namespace: Namespace, names: list[str]) -> bytes:
    """As text: ten thousand objects on the way to it would take as long as asking the store."""
    text = orjson.dumps(names)
    if not names or b"\\" in text:  # a name with a quote in it: quotes do not tell where it ends
        return orjson.dumps([{"namespace": namespace.levels, "name": name} for name in names])
    before = b'{"namespace":%b,"name":' % orjson.dumps(namespace.levels)
    return b"[%b%b}]" % (before, text[1:-1].replace(b'","', b'"},%b"' % before))


def named(request: Request, asked: Json) -> TableName:
    """What the body names, inside the namespace that the path names."""
    return noted(request, table_of(namespace_of(request), asked.get("name")))
