"""What a mended text becomes: the bytes that the event would have had."""

import pytest

from boathouse.kit.deadletters.mending import Form
from boathouse.kit.errors import InvalidInput


@pytest.mark.parametrize(
    ("form", "text", "raw"),
    [
        (Form.of("text", None), "Zähler", "Zähler".encode()),
        (Form.of("text", "iso-8859-1"), "Zähler", b"Z\xe4hler"),
        (Form.of("text", "koi8-r"), "счётчик", "счётчик".encode("koi8-r")),
        # Of text alone: JSON is UTF-8 whatever is said.
        (Form.of("json", "iso-8859-1"), '{"a":"ä"}', '{"a":"ä"}'.encode()),
        (Form.of("debezium", None), "{}", b"{}"),
        (Form.of("avro", None), "AgQ=", b"\x02\x04"),
        (Form.of("binary", None), " AP\n8= ", b"\x00\xff"),
    ],
)
def test_a_mended_text_is_written_as_the_events_are(form: Form, text: str, raw: bytes) -> None:
    assert form.bytes_of(text) == raw
    assert form.text_of(raw) == "".join(text.split()) if not form.is_text else form.text_of(raw) == text


def test_what_the_encoding_does_not_have_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="ISO-8859-1 has no '€'"):
        Form.of("text", "iso-8859-1").bytes_of("12 €")


@pytest.mark.parametrize("name", ["avro", "binary"])
def test_what_is_no_text_is_mended_in_base64_alone(name: str) -> None:
    with pytest.raises(InvalidInput, match=f"format {name} is no text"):
        Form.of(name, None).bytes_of('{"id": 7}')


def test_what_stood_there_is_shown_as_far_as_it_can_be() -> None:
    assert Form.of("text", "us-ascii").text_of(b"Z\xe4hler") == "Z\ufffdhler"
