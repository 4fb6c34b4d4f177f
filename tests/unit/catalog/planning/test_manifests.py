"""A manifest that a client wrote wrongly is told as such; it is no failure of the server."""

import io
from typing import Any

import fastavro
import pytest

from boathouse.catalog.errors import TooLarge, Validation
from boathouse.catalog.planning.manifests import read_manifest_list
from boathouse.catalog.planning.requests import LARGEST_FILTER, read_request


def avro(fields: list[dict[str, Any]], *records: dict[str, Any], codec: str = "null") -> bytes:
    content = io.BytesIO()
    fastavro.writer(content, {"type": "record", "name": "manifest_file", "fields": fields}, records, codec=codec)
    return content.getvalue()


PATH = {"name": "manifest_path", "type": "string"}
NUMBERS = [{"name": name, "type": "long"} for name in ("manifest_length", "partition_spec_id")]
WHOLE = avro([PATH, *NUMBERS], {"manifest_path": "m", "manifest_length": 1, "partition_spec_id": 0}, codec="deflate")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"Obj\x01 and then nothing of use",
        avro([PATH], {"manifest_path": "m"}),
        avro(
            [{"name": "manifest_path", "type": "long"}, *NUMBERS],
            {"manifest_path": 7, "manifest_length": 1, "partition_spec_id": 0},
        ),
        WHOLE[:-22] + b"\xff" * 6 + WHOLE[-16:],
    ],
    ids=["empty", "not Avro", "a field is missing", "a path that is a number", "a block that is damaged"],
)
def test_a_manifest_list_that_is_none_is_told(content: bytes) -> None:
    with pytest.raises(Validation, match=r"Cannot read s3://lake/m\.avro"):
        list(read_manifest_list("s3://lake/m.avro", content))


def test_a_filter_of_too_many_values_is_refused_before_it_is_looked_at() -> None:
    values = list(range(LARGEST_FILTER))
    with pytest.raises(TooLarge, match="Name fewer values"):
        read_request({"filter": {"type": "in", "term": "id", "values": values}})
