"""A manifest that a client wrote wrongly is told as such; it is no failure of the server."""

import bz2
import io
import json
import lzma
import zlib
from collections.abc import Callable
from typing import Any

import fastavro
import pytest
import zstandard

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


def by_hand(fields: list[Any], block: bytes, codec: str = "null") -> bytes:
    """A manifest list with one block, for what no library would write."""
    schema = json.dumps({"type": "record", "name": "manifest_file", "fields": fields}).encode()
    written, sync = io.BytesIO(), b"0" * 16
    meta = {"avro.codec": codec.encode(), "avro.schema": schema}
    fastavro.schemaless_writer(written, {"type": "map", "values": "bytes"}, meta)
    written.write(sync)
    fastavro.schemaless_writer(written, "long", 1)
    fastavro.schemaless_writer(written, "bytes", block)
    return b"Obj\x01" + written.getvalue() + sync


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "array", "items": "null"}, "a list of nothing"),
        ({"type": "array", "items": {"type": "record", "name": "none", "fields": []}}, "a list of nothing"),
        (["null", "manifest_file"], "holds itself"),
    ],
)
def test_a_schema_that_would_take_all_memory_is_refused(schema: Any, said: str) -> None:
    """Ten bytes would say: a thousand million times nothing; or one within another, deeper than any stack."""
    content = by_hand([{"name": "more", "type": schema}, PATH, *NUMBERS], b"\x02" * 1000)
    with pytest.raises(Validation, match=said):
        list(read_manifest_list("s3://lake/m.avro", content))


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "null": bytes,
    "deflate": lambda block: zlib.compress(block, wbits=-15),
    "zstandard": zstandard.ZstdCompressor().compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("codec", PACKED)
def test_every_way_to_pack_is_read_and_bounded(codec: str) -> None:
    def listed(path: str) -> bytes:
        block, schema = io.BytesIO(), {"type": "record", "name": "manifest_file", "fields": [PATH, *NUMBERS]}
        record = {"manifest_path": path, "manifest_length": 1, "partition_spec_id": 0}
        fastavro.schemaless_writer(block, schema, record)
        return by_hand([PATH, *NUMBERS], PACKED[codec](block.getvalue()), codec)

    (found,) = read_manifest_list("s3://lake/m.avro", listed("m"))
    assert found.path == "m"
    with pytest.raises(Validation, match="unpacks to more than is read"):
        list(read_manifest_list("s3://lake/m.avro", listed("A" * 40_000_000)))
