"""Signatures, against the examples that AWS published with the algorithm."""

from hashlib import sha256

import pytest

from boathouse.catalog.storage.sigv4 import Keys, Unsigned, signed_headers

KEYS = Keys("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
BUCKET = "https://examplebucket.s3.amazonaws.com"
NOTHING = sha256(b"").hexdigest()
MAY_24 = 1369353600.0


@pytest.mark.parametrize(
    ("request_", "signature"),
    [
        (
            Unsigned("GET", f"{BUCKET}/test.txt", {"Range": "bytes=0-9"}, NOTHING),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        ),
        (
            Unsigned(
                "PUT",
                f"{BUCKET}/test$file.text",
                {"Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"},
                sha256(b"Welcome to Amazon S3.").hexdigest(),
            ),
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
        ),
        (
            Unsigned("GET", f"{BUCKET}/?lifecycle", {}, NOTHING),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        ),
        (
            Unsigned("GET", f"{BUCKET}/?prefix=J&max-keys=2", {}, NOTHING),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        ),
    ],
    ids=["get", "put", "parameter without a value", "list"],
)
def test_requests_to_s3(request_: Unsigned, signature: str) -> None:
    headers = signed_headers(request_, KEYS, "us-east-1", "s3", MAY_24)
    assert headers["authorization"].endswith(f"Signature={signature}")
    assert headers["x-amz-date"] == "20130524T000000Z"


def test_a_request_to_another_service() -> None:
    keys = Keys("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    url = "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08"
    form = {"content-type": "application/x-www-form-urlencoded; charset=utf-8"}
    headers = signed_headers(Unsigned("GET", url, form, NOTHING), keys, "us-east-1", "iam", 1440938160.0)
    assert headers["authorization"] == (
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
        "SignedHeaders=content-type;host;x-amz-date, "
        "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
    )
    assert "x-amz-content-sha256" not in headers


def test_a_token_of_a_session_is_signed_and_sent() -> None:
    keys = Keys("AKID", "secret", "the token")
    headers = signed_headers(Unsigned("GET", f"{BUCKET}/x", {}), keys, "us-east-1", "s3", MAY_24)
    assert headers["x-amz-security-token"] == "the token"
    assert ";x-amz-security-token," in headers["authorization"]


def test_secrets_are_not_shown() -> None:
    shown = repr(Keys("AKID", "hidden-secret", "hidden-token"))
    assert "AKID" in shown
    assert "hidden" not in shown
