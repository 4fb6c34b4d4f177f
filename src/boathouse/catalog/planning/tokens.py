"""Plan ids and plan tasks: text that says all there is to know, so that any server can go on with any plan.

They are not signed, because nothing in them is believed: one is read as a new request of its caller would be, for a
table that the caller was found to be granted, and it names manifests only by their place in a snapshot of that table.
"""

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from secrets import token_hex

import orjson

from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata.fields import a_string, as_object
from boathouse.catalog.planning.requests import ScanRequest, read_request, written

# No more than a request may hold, whatever a few bytes claim to be.
_LARGEST = 32 * 1024 * 1024
_TASK = re.compile(r"([\w~-]+)\.(\d{1,19})\.(\d{1,9})\.(\d{0,9})", re.ASCII)


@dataclass(frozen=True)
class Scan:
    """A scan of one table, its snapshot chosen."""

    table: str
    """The table's uuid: another of the same name is another table."""
    request: ScanRequest


@dataclass(frozen=True)
class Unit:
    """A part of a scan: some of a snapshot's data manifests, by their place in its manifest list."""

    snapshot_id: int
    first: int = 0
    last: int | None = None
    """Not included; None for all that are left."""


def scan_text(scan: Scan) -> str:
    try:
        # As deep in brackets as the filter comes to lie in an answer, where it must be written again.
        orjson.dumps([[[[scan.request.filter]]]])
        # Each is a plan of its own, though another asked for the same: one of them may be cancelled.
        content = {"table": scan.table, "scan": written(scan.request), "plan": token_hex(8)}
        packed = zlib.compress(orjson.dumps(content))
    except orjson.JSONEncodeError as error:
        raise BadRequest(f"Cannot parse expression: it is nested too deeply ({error})") from error
    return urlsafe_b64encode(packed).rstrip(b"=").decode()


def read_scan(text: str) -> Scan | None:
    """What the text says; None if it is none of ours."""
    try:
        packed = urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))
        content = as_object(orjson.loads(zlib.decompressobj().decompress(packed, _LARGEST)), "scan")
        return Scan(a_string(content, "table"), read_request(as_object(content.get("scan"), "scan")))
    except (ValueError, zlib.error, BadRequest):
        return None


def task_text(plan_id: str, unit: Unit) -> str:
    return f"{plan_id}.{unit.snapshot_id}.{unit.first}.{'' if unit.last is None else unit.last}"


def read_task(text: str) -> tuple[str, Unit] | None:
    """The plan's id, and the part of it."""
    found = _TASK.fullmatch(text)
    return (found[1], Unit(int(found[2]), int(found[3]), int(found[4]) if found[4] else None)) if found else None
