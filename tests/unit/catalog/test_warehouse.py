"""What lies inside a warehouse."""

from pathlib import Path

import pytest

from boathouse.catalog.errors import IllegalArgument
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.objects import open_store


@pytest.fixture
def warehouse() -> Warehouse:
    return Warehouse.at("lake", "s3://bucket/lake/", open_store("s3://bucket/lake", region="us-east-1"))


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("s3://bucket/lake/a/b", "a/b"),
        ("s3a://bucket/lake/a/b/", "a/b"),
        ("s3://bucket/lake//a", "a"),
        ("s3://bucket/lake/a/./b", "a/b"),
    ],
)
def test_a_place_inside(warehouse: Warehouse, url: str, path: str) -> None:
    assert warehouse.path(url) == path
    assert warehouse.url(path) == f"s3://bucket/lake/{path}"


@pytest.mark.parametrize(
    "url",
    [
        "s3://bucket/lake",
        "s3://bucket/lakeside/a",
        "s3://bucket/other/a",
        "s3://elsewhere/lake/a",
        "s3://bucket/lake/../other/a",
        "s3://bucket/lake/a/..",
        "s3://bucket/lake/a?versionId=1",
        "s3://bucket/lake/a#b",
        "file:///lake/a",
        "/lake/a",
        "a",
        "",
        "s3:///lake/a",
        "http://bucket/lake/a",
    ],
)
def test_a_place_that_is_not_inside(warehouse: Warehouse, url: str) -> None:
    with pytest.raises(IllegalArgument):
        warehouse.path(url)


def test_a_location_that_no_storage_can_hold_is_refused(tmp_path: Path) -> None:
    url = f"file://{tmp_path}"
    warehouse = Warehouse.at("lake", url, open_store(url))
    assert warehouse.path(f"{url}/{'a' * 255}") == "a" * 255
    for path in ("a" * 256, "ü" * 128, "/".join(["a" * 100] * 11)):
        with pytest.raises(IllegalArgument, match="longer than storage can hold"):
            warehouse.path(f"{url}/{path}")


@pytest.mark.parametrize("url", ["s3://bucket//ns/t", "s3://bucket///ns//t", "s3://bucket/ns/t"])
def test_a_whole_bucket_has_one_spelling_for_each_place(url: str) -> None:
    whole = Warehouse.at("lake", "s3://bucket", open_store("s3://bucket", region="us-east-1"))
    assert whole.path(url) == "ns/t"
