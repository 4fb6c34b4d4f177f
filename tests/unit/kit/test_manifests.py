"""The files of a snapshot, as its manifests have them."""

import pytest

from boathouse.kit.errors import Unavailable
from boathouse.kit.manifests import LiveFile, Manifest, read_files, read_manifest_list
from tests.manifest_files import DELETED, EQUALITY_DELETES, Field, File, Listed, manifest, manifest_list


def test_a_list_says_where_manifests_are_and_how_many_files_each_has() -> None:
    content = manifest_list([Listed("s3://b/m1.avro", 10, files=3), Listed("s3://b/m2.avro", 10, spec=1, files=0)])
    assert read_manifest_list("list", content) == [Manifest("s3://b/m1.avro", 0, 3), Manifest("s3://b/m2.avro", 1, 0)]


def test_live_files_come_with_size_and_partition_whatever_statistics_are_beside_them() -> None:
    files = [
        File("a", {"region": "north"}, values={1: 5, 2: 5}, lower={1: b"x"}, upper={1: b"y"}),
        File("b", {"region": None}, status=DELETED),
        File("c", {"region": "south"}, content=EQUALITY_DELETES, more={"equality_ids": [1], "file_size_in_bytes": 7}),
    ]
    content = manifest(files, [Field("region", "string")])
    assert list(read_files(Manifest("m", 0, 2), content)) == [
        LiveFile(0, "a", "parquet", 10, 1000, {"region": "north"}),
        LiveFile(2, "c", "parquet", 10, 7, {"region": "south"}),
    ]


@pytest.mark.parametrize(
    "content", [b"", b"Obj\x01", b"not avro at all", manifest([File("a")])[:-40], manifest_list([Listed("a", 1)])]
)
def test_what_is_no_manifest_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(Unavailable, match="not an Avro file as Iceberg writes it"):
        list(read_files(Manifest("m", 0, None), content))
