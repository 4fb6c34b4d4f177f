import gzip

import lz4.frame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.stack.embedded_clickhouse.encodings import chosen_encoding, decoder, encoder
from boathouse.stack.embedded_clickhouse.errors import ClickHouseError

NAMES = ["gzip", "deflate", "zstd", "lz4", "br"]


@pytest.mark.parametrize("name", NAMES)
@given(pieces=st.lists(st.binary(max_size=200), max_size=5), cut=st.integers(1, 50))
def test_what_is_encoded_is_decoded_however_it_is_cut(name: str, pieces: list[bytes], cut: int) -> None:
    encoding, decoding = encoder(name), decoder(name)
    encoded = b"".join(encoding.encode(piece) for piece in pieces) + encoding.finish()
    parts = [encoded[at : at + cut] for at in range(0, len(encoded), cut)]
    assert b"".join(decoding.decode(part) for part in parts) == b"".join(pieces)
    assert decoding.complete()


@pytest.mark.parametrize("name", NAMES)
def test_an_end_that_is_missing_is_noticed(name: str) -> None:
    encoding, decoding = encoder(name), decoder(name)
    encoded = encoding.encode(b"abc" * 1000) + encoding.finish()
    decoding.decode(encoded[:-1])
    assert not decoding.complete()


def test_several_frames_are_one_body() -> None:
    assert decoder("gzip").decode(gzip.compress(b"a") + gzip.compress(b"b")) == b"ab"
    assert decoder("lz4").decode(lz4.frame.compress(b"a") + lz4.frame.compress(b"b")) == b"ab"


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("", None),
        ("identity", None),
        ("gzip, br;q=0.5", "br"),
        ("lz4,zstd", "lz4"),
        ("GZIP", "gzip"),
        ("gzipped", None),
    ],
)
def test_one_of_those_that_a_client_takes_is_chosen(accepted: str, chosen: str | None) -> None:
    assert chosen_encoding(accepted) == chosen


def test_others_are_refused() -> None:
    with pytest.raises(ClickHouseError, match="snail"):
        decoder("snail")
