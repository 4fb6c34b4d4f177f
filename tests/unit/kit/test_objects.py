"""Object storage by URL."""

from pathlib import Path

import obstore
import pytest
from obstore.exceptions import GenericError

from boathouse.kit.errors import ConfigurationError, Forbidden, InvalidInput, NotFound, Unavailable
from boathouse.kit.objects import canonical_url, open_store, path_below, storage_errors


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("file:/tmp/x", "file:///tmp/x"),
        ("file:///tmp/x/", "file:///tmp/x"),
        ("file://localhost/tmp/x", "file:///tmp/x"),
        ("file:///tmp//x", "file:///tmp/x"),
        ("s3://bucket", "s3://bucket"),
        ("s3://bucket/", "s3://bucket"),
        ("s3a://bucket/a//b/", "s3://bucket/a/b"),
    ],
)
def test_each_place_has_one_spelling(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize(
    "url", ["", "x", "/tmp/x", "s3:bucket", "s3://b/../c", "s3://b/c?d", "ftp://h/x", "file://host/x"]
)
def test_what_is_no_place_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput):
        canonical_url(url)


def test_where_one_place_lies_in_another() -> None:
    assert path_below("s3://b/lake", "s3a://b/lake/x/y") == "x/y"
    assert path_below("s3://b/lake", "s3://b/lake/") == ""
    assert path_below("s3://b/lake", "s3://b/lakeside") is None


def test_a_directory_is_made_and_used(tmp_path: Path) -> None:
    store = open_store(f"file://{tmp_path}/new/deep")
    obstore.put(store, "a/b.txt", b"hello")
    assert (tmp_path / "new" / "deep" / "a" / "b.txt").read_bytes() == b"hello"


def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="cannot be used"):
        open_store(f"file://{tmp_path}/file/below")


def test_an_object_that_is_not_there(tmp_path: Path) -> None:
    store = open_store(f"file://{tmp_path}")
    with pytest.raises(NotFound, match="no object at file:///x"), storage_errors("file:///x"):
        obstore.get(store, "x")


def test_a_store_that_does_not_answer() -> None:
    store = open_store("s3://bucket", endpoint="http://127.0.0.1:9", region="us-east-1", access_key="a", secret_key="b")
    with pytest.raises(Unavailable, match="Storage failed at s3://bucket/x"), storage_errors("s3://bucket/x"):
        obstore.get(store, "x")


@pytest.mark.parametrize(
    ("raised", "told"),
    [(PermissionError("no"), Forbidden), (OSError("disk"), Unavailable), (ValueError("bad path"), InvalidInput)],
)
def test_what_storage_says_becomes_our_own_error(raised: Exception, told: type[Exception]) -> None:
    with pytest.raises(told), storage_errors("s3://bucket/x"):
        raise raised


@pytest.mark.parametrize("kind", [GenericError, FileNotFoundError])
def test_a_bucket_that_is_not_there_is_named_with_its_store(kind: type[Exception]) -> None:
    answer = "Error performing GET http://127.0.0.1:8333/nobucket?list-type=2 in 4ms - 404: <Code>NoSuchBucket</Code>"
    with (
        pytest.raises(NotFound, match=r"There is no bucket nobucket at http://127\.0\.0\.1:8333\."),
        storage_errors("s3://nobucket/x"),
    ):
        raise kind(answer)
