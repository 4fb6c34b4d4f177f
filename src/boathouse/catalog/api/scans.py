"""Scan planning over HTTP."""

import asyncio

import orjson
from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.api.delegation import delegated
from boathouse.catalog.api.operations import Operation, asker_of, on_table, requires
from boathouse.catalog.api.requests import catalog_of, parse, plan_id_of, table_name_of
from boathouse.catalog.api.responses import NOT_KEPT, answered_once, changed_once, respond
from boathouse.catalog.metadata.fields import Json, a_string
from boathouse.catalog.planning.requests import read_request
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.repeats import Ticket


async def plan_table_scan(request: Request) -> Response:
    scans, table = catalog_of(request).scans, table_name_of(request)

    async def submit(body: bytes, ticket: Ticket | None) -> Answer:
        asked = await asyncio.to_thread(lambda: read_request(parse(body)))
        return await scans.submit(table, asked, asker_of(request), ticket)

    # A key gives the same plan again by its id, which stands for the snapshot that was scanned the first time.
    answer = await answered_once(request, submit)
    if answer.status != 200 or answer.body is None:
        return respond(answer)
    plan_id = answer.body["plan-id"]
    return await _planned(request, {"plan-id": plan_id, **await scans.result(table, plan_id, asker_of(request))})


async def fetch_planning_result(request: Request) -> Response:
    scans, asker = catalog_of(request).scans, asker_of(request)
    return await _planned(request, await scans.result(table_name_of(request), plan_id_of(request), asker))


async def cancel_planning(request: Request) -> Response:
    async def cancel(_body: bytes, ticket: Ticket | None) -> Answer:
        scans, asker = catalog_of(request).scans, asker_of(request)
        return await scans.cancel(table_name_of(request), plan_id_of(request), asker, ticket)

    return await changed_once(request, cancel)


async def fetch_scan_tasks(request: Request) -> Response:
    scans, table = catalog_of(request).scans, table_name_of(request)

    async def check(body: bytes, ticket: Ticket | None) -> Answer:
        return await scans.check_task(table, a_string(parse(body), "plan-task"), asker_of(request), ticket)

    answer = await answered_once(request, check)
    if answer.status != 200 or answer.body is None:
        return respond(answer)
    return await _written(await scans.tasks(table, answer.body["plan-task"], asker_of(request)))


async def _planned(request: Request, body: Json) -> Response:
    """A plan, with keys for the files that it names if they are asked for. There is no place in it for anything else."""
    if body["status"] != "completed":
        return await _written(body)
    table = table_name_of(request)
    file = await catalog_of(request).tables.load(table)
    delegation = await delegated(request, table, lambda: file.metadata)
    if delegation is None or not delegation.secret:
        return await _written(body)
    return await _written({**body, "storage-credentials": delegation.credentials}, NOT_KEPT)


async def _written(body: Json, headers: dict[str, str] | None = None) -> Response:
    """Megabytes of JSON, put into text beside the event loop."""
    return Response(await asyncio.to_thread(orjson.dumps, body), headers=headers, media_type="application/json")


_TABLE = "/v1/{prefix}/namespaces/{namespace}/tables/{table}"
# Each needs no more than reading the table: a plan is what a reader works out from its metadata.
_READING = requires(Privilege.READ, on_table)

ROUTES = [
    Operation("POST", f"{_TABLE}/plan", plan_table_scan, _READING, reads=True),
    Operation("GET", f"{_TABLE}/plan/{{plan-id}}", fetch_planning_result, _READING),
    Operation("DELETE", f"{_TABLE}/plan/{{plan-id}}", cancel_planning, _READING),
    Operation("POST", f"{_TABLE}/tasks", fetch_scan_tasks, _READING, reads=True),
]
