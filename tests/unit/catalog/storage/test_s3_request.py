"""What a request to S3 would do, and that nothing is signed which nobody understands."""

import pytest

from boathouse.catalog.errors import Forbidden
from boathouse.catalog.storage.s3_request import Effect, S3Request, effect_of
from boathouse.catalog.storage.s3_storage import S3Storage
from boathouse.catalog.storage.sigv4 import Keys

STORE = "http://store:8333"
STORAGE = S3Storage("lake", "wh", keys=Keys("key", "secret"), endpoint=STORE)
AWS = S3Storage("lake", "wh", region="eu-west-1", keys=Keys("key", "secret"))


def effect(method: str, uri: str, body: str | None = None, storage: S3Storage = STORAGE, **headers: str) -> Effect:
    sent = {name.replace("_", "-"): [value] for name, value in headers.items()}
    return effect_of(storage, S3Request(method, uri, sent, body))


@pytest.mark.parametrize(
    ("method", "target", "writes"),
    [
        ("GET", "wh/t/a.parquet", False),
        ("GET", "wh/t/a.parquet?x-id=GetObject", False),
        ("GET", "wh/t/a.parquet?versionId=3", False),
        ("HEAD", "wh/t/a.parquet", False),
        ("PUT", "wh/t/a.parquet", True),
        ("PUT", "wh/t/a.parquet?partNumber=1&uploadId=u", True),
        ("POST", "wh/t/a.parquet?uploads", True),
        ("POST", "wh/t/a.parquet?uploads=", True),
        ("POST", "wh/t/a.parquet?uploadId=u", True),
        ("DELETE", "wh/t/a.parquet", True),
        ("DELETE", "wh/t/a.parquet?uploadId=u", True),
    ],
)
def test_what_tables_need(method: str, target: str, writes: bool) -> None:  # noqa: FBT001
    assert effect(method, f"{STORE}/lake/{target}") == Effect(("wh/t/a.parquet",), writes)


def test_a_listing_is_known_by_its_prefix() -> None:
    found = effect("GET", f"{STORE}/lake?list-type=2&prefix=wh%2Ft%2Fdata%2F&delimiter=%2F&max-keys=1")
    assert found == Effect(("wh/t/data/",), writes=False)
    assert effect("GET", f"{STORE}/lake/?prefix=wh/t/") == Effect(("wh/t/",), writes=False)


def test_keys_are_decoded_once() -> None:
    assert effect("GET", f"{STORE}/lake/wh/t/p%3Da%252Fb/x%20y").keys == ("wh/t/p=a%2Fb/x y",)
    assert effect("GET", f"{STORE}/lake/wh/t/a+b").keys == ("wh/t/a+b",)


def test_many_deletions_are_known_by_the_body() -> None:
    body = '<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key>wh/t/a&amp;b</Key></Object></Delete>'
    assert effect("POST", f"{STORE}/lake?delete", body) == Effect(("wh/t/a&b",), writes=True, in_bulk=True)


@pytest.mark.parametrize(
    "uri",
    [
        "https://lake.s3.eu-west-1.amazonaws.com/wh/t/a",
        "https://s3.eu-west-1.amazonaws.com/lake/wh/t/a",
        "https://s3.amazonaws.com/lake/wh/t/a",
    ],
)
def test_the_bucket_stands_in_the_path_or_in_the_host(uri: str) -> None:
    assert effect("GET", uri, storage=AWS).keys == ("wh/t/a",)


@pytest.mark.parametrize(
    "uri",
    [
        "http://lake.s3.eu-west-1.amazonaws.com/wh/t/a",
        "https://lake.s3.us-east-1.amazonaws.com/wh/t/a",
        "https://other.s3.eu-west-1.amazonaws.com/wh/t/a",
        "https://s3.eu-west-1.amazonaws.com/other/wh/t/a",
        "https://lake.s3.eu-west-1.amazonaws.com.evil.org/wh/t/a",
        "https://lake.s3.eu-west-1.amazonaws.com@evil.org/wh/t/a",
        "https://evil.org/lake/wh/t/a",
    ],
)
def test_other_hosts_are_refused(uri: str) -> None:
    with pytest.raises(Forbidden):
        effect("GET", uri, storage=AWS)


@pytest.mark.parametrize(
    "target",
    [
        "/lake/wh/t/../u/a",
        "/lake/wh/t/%2e%2e/u/a",
        "/lake/wh/t/%2E./u/a",
        "/lake/wh/t/./a",
        "/lake/wh/t//a",
        "//lake/wh/t/a",
        "/lake/wh/t/..%2Fu/a",
        "/lake/wh/t%2fa",
        "/lake/wh/t/..%5Cu",
        "/lake/wh/t/..\\u",
        "/lake/wh/t/a%00",
        "/lake/wh/t/a%0a",
        "/lake/wh/t/%ff",
        "/lake/wh/t/a#b",
        "/lake/wh/t/a b",
        "/lake/wh/t/é",
        "/lake/wh/t/",
        "/lake2/wh/t/a",
        "/other/wh/t/a",
        "/",
        "",
        "/lake",
        "/lake?list-type=2",
        "/lake?list-type=2&prefix=wh/t/&prefix=",
        "/lake?list-type=2&prefix=",
        "/lake?list-type=2&prefix=wh/t/&versions",
        "/lake?list-type=2&prefix=wh/t/../",
        "/lake?prefix=wh/t+/",
        "/lake?prefix=wh/t/;x=y",
        "/lake?uploads&prefix=wh/t/",
        "/lake?policy",
        "/lake/wh/t/a?acl",
        "/lake/wh/t/a?tagging",
        "/lake/wh/t/a?torrent",
        "/lake/wh/t/a?response-content-type=text/html",
        "/lake/wh/t/a?X-Amz-Signature=0",
        "/lake/wh/t/a?versionId=1&versionId=2",
    ],
)
def test_tricks_with_the_url_are_refused(target: str) -> None:
    with pytest.raises(Forbidden):
        effect("GET", f"{STORE}{target}")


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("PUT", "/lake"),
        ("DELETE", "/lake"),
        ("HEAD", "/lake"),
        ("PUT", "/lake/wh/t/a?acl"),
        ("PUT", "/lake/wh/t/a?tagging"),
        ("PUT", "/lake/wh/t/a?uploadId=u"),
        ("POST", "/lake/wh/t/a"),
        ("POST", "/lake/wh/t/a?delete"),
        ("POST", "/lake/wh/t/a?select&select-type=2"),
        ("DELETE", "/lake/wh/t/a?versionId=1"),
        ("PATCH", "/lake/wh/t/a"),
        ("OPTIONS", "/lake/wh/t/a"),
        ("get", "/lake/wh/t/a"),
    ],
)
def test_what_no_table_needs_is_refused(method: str, target: str) -> None:
    with pytest.raises(Forbidden, match="none of those that tables need"):
        effect(method, f"{STORE}{target}")


@pytest.mark.parametrize(
    "name",
    [
        "x-amz-acl",
        "X-Amz-Copy-Source",
        "x-amz-grant-read",
        "x-amz-security-token",
        "x-amz-website-redirect-location",
        "x-amz-bypass-governance-retention",
    ],
)
def test_headers_that_reach_further_are_refused(name: str) -> None:
    with pytest.raises(Forbidden, match="is not allowed"):
        effect_of(STORAGE, S3Request("PUT", f"{STORE}/lake/wh/t/a", {name: ["lake/wh/u/b"]}))


def test_another_host_in_the_headers_is_refused() -> None:
    assert effect("GET", f"{STORE}/lake/wh/t/a", Host="store:8333")
    with pytest.raises(Forbidden, match="host"):
        effect("GET", f"{STORE}/lake/wh/t/a", Host="other:8333")
    with pytest.raises(Forbidden, match="twice"):
        effect("GET", f"{STORE}/lake/wh/t/a", Host="store:8333", host="store:8333")


@pytest.mark.parametrize(
    "body",
    [
        None,
        "",
        "nonsense",
        "<Delete></Delete>",
        "<Delete><Object><Key></Key></Object></Delete>",
        "<Delete><Object><Key>wh/t/../u</Key></Object></Delete>",
        "<Delete><Object><Key>wh/t/<b/>a</Key></Object></Delete>",
        "<Delete><Object><Key>wh/t/a<!-- x --></Key></Object></Delete>",
        "<Delete><Object><Key><![CDATA[wh/t/a]]></Key></Object></Delete>",
        '<!DOCTYPE d [<!ENTITY k "wh/u">]><Delete><Object><Key>&k;</Key></Object></Delete>',
        "<Other><Object><Key>wh/t/a</Key></Object></Other>",
    ],
)
def test_a_body_that_can_be_read_in_two_ways_is_refused(body: str | None) -> None:
    with pytest.raises(Forbidden):
        effect("POST", f"{STORE}/lake?delete", body)


def test_every_key_of_a_body_counts_however_it_is_written() -> None:
    body = "<Delete><Object><Key>wh/t/a</Key><key>wh/u/b</key></Object><KEY>wh/u/c</KEY></Delete>"
    assert effect("POST", f"{STORE}/lake?delete", body).keys == ("wh/t/a", "wh/u/b", "wh/u/c")
