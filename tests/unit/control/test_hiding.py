"""Secrets in what others say."""

import json

from boathouse.control.connections.hiding import Hidden

KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n"


def test_a_longer_one_goes_first_and_short_ones_are_no_secrets() -> None:
    hidden = Hidden(["oars", "oars under", "is"])
    assert hidden.taken_out_of("this is where the oars under the boat are") == "this is where the … the boat are"


def test_a_secret_of_several_lines_is_found_line_by_line() -> None:
    hidden = Hidden([KEY])
    told = [hidden.taken_out_of(f"out: {line}") for line in KEY.splitlines()]
    assert told == ["out: -----BEGIN PRIVATE KEY-----", "out: …", "out: …", "out: -----END PRIVATE KEY-----"]


def test_and_as_it_stands_in_json() -> None:
    secret = 'a "quay" by the sea, é'
    hidden = Hidden([secret, KEY])
    for told in (json.dumps({"password": secret}), json.dumps({"password": secret}, ensure_ascii=False)):
        assert hidden.taken_out_of(told) == '{"password": "…"}'
    assert "MIIEvQ" not in hidden.taken_out_of(json.dumps({"key": KEY}))
