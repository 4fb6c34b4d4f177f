"""Rejected events as a replay judges them anew."""

from datetime import UTC, datetime

from boathouse.kit.deadletters.book import Place
from boathouse.kit.deadletters.desk import Text
from boathouse.kit.deadletters.ledger import Fate
from boathouse.kit.deadletters.mending import Form
from boathouse.pipelines.stream.letters import letter_of

SENT, REJECTED = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
LATIN = Form.of("text", "iso-8859-1")


def place(mended: str | None = None) -> Place:
    return Place("1", "batch-1", "kafka://t/0", 7, "is wrong", REJECTED, "file", 0, Fate(raw=mended))


def test_it_has_the_key_and_the_time_that_it_had_in_kafka() -> None:
    letter = letter_of(place(), Text("a", None, b"\xff", SENT), LATIN)
    assert (letter.raw, letter.key, letter.kafka_at) == (b"a", b"\xff", SENT)


def test_one_of_which_they_were_not_noted_is_as_old_as_its_rejection() -> None:
    letter = letter_of(place(), Text("a", None), LATIN)
    assert (letter.key, letter.kafka_at) == (None, REJECTED)


def test_its_bytes_are_as_they_were() -> None:
    assert letter_of(place(), Text("Z\ufffd", b"Z\xe4"), LATIN).raw == b"Z\xe4"
    assert letter_of(place(), Text("", None), LATIN).raw == b""
    # One without a value has none after a replay either.
    assert letter_of(place(), Text(None, None), LATIN).raw is None


def test_it_is_mended_in_the_encoding_of_the_others() -> None:
    letter = letter_of(place("Zähler"), Text("?", None, b"k", SENT), LATIN)
    assert (letter.raw, letter.key, letter.problem) == (b"Z\xe4hler", b"k", None)


def test_what_cannot_be_written_stays_with_the_reason() -> None:
    assert letter_of(place("12 €"), Text("?", None), LATIN).problem is not None
    avro = letter_of(place("twelve"), Text("?", None), Form.of("avro", None))
    assert "mended as its bytes" in (avro.problem or "")
