"""How a batch of messages is taken apart until Arrow reads what it can."""

from collections.abc import Sequence
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.pipelines.stream.plain import PLAIN, PlainEvents, is_able
from boathouse.pipelines.types import parse_type

_COLUMNS = {"id": parse_type("long"), "note": parse_type("string")}
_BAD = [
    None,
    b"",
    b"not JSON",
    b'{"id":1}',
    b'{"id":"1","note":null}',
    b'{"id":1,"note":null,"more":2}',
    b"\xff",
    b'{"id":1,"note":null}{"id":2,"note":null}',
    b'{"id":1,"note":"never in here"}',
    b'{"id":1,"note":"}',
    b'{","x":1}',
]


@given(st.lists(st.one_of(st.integers(-5, 5), st.sampled_from(_BAD)), max_size=300))
def test_what_is_plain_is_read_in_its_place_and_nothing_else_is(given: list[int | bytes | None]) -> None:
    messages = [b'{"id":%d,"note":null}' % one if isinstance(one, int) else one for one in given]
    read = _read(messages)
    assert len(read) == len(messages)
    for one, row in zip(given, read, strict=True):
        if row[PLAIN]:
            assert row == {PLAIN: True, "id": one, "note": None}
        else:
            assert row == {PLAIN: False, "id": None, "note": None}


def test_one_bad_message_costs_only_its_neighbours() -> None:
    messages = [b'{"id":%d,"note":"n"}' % number for number in range(10_000)]
    messages[5_000] = b"not JSON"
    read = _read(messages)
    left = [number for number, row in enumerate(read) if not row[PLAIN]]
    assert 5_000 in left
    assert len(left) < 100
    assert all(row["id"] == number for number, row in enumerate(read) if row[PLAIN])


def test_of_many_bad_messages_the_rest_is_left_to_spark() -> None:
    read = _read([b"not JSON"] * 100_000)
    assert not any(row[PLAIN] for row in read)


def test_which_columns_it_can_read() -> None:
    assert is_able({name: parse_type(name) for name in ("int", "double", "timestamp", "date", "boolean")})
    assert not is_able({"a": parse_type("array<int>")})
    assert not is_able({"a": parse_type("binary")})
    assert not is_able({'a"b': parse_type("int")})
    assert not is_able({PLAIN: parse_type("int")})
    assert not is_able({PLAIN.title(): parse_type("int")})


def test_a_number_with_an_exponent_and_many_digits_is_left_to_spark() -> None:
    message = [b'{"n":1.2345678901234567123e16}']
    few, many = (PlainEvents({"n": parse_type(f"decimal({digits},3)")}, "never") for digits in (15, 38))
    assert not many.read(pa.array(message, pa.binary())).to_pylist()[0][PLAIN]
    assert few.read(pa.array([b'{"n":1.25e1}'], pa.binary())).to_pylist()[0]["n"] == Decimal("12.500")


def test_an_event_without_its_key_is_left_to_spark_which_says_what_it_lacks() -> None:
    reader = PlainEvents(_COLUMNS, "never", frozenset({"id"}))
    messages = [b'{"id":null,"note":"n"}', b'{"id":1,"note":null}'] * 100
    read = reader.read(pa.array(messages, pa.binary())).to_pylist()
    assert not any(row[PLAIN] for row in read[::2])
    # Where no key is null, nothing else is asked.
    assert all(row[PLAIN] for row in reader.read(pa.array(messages[1::2], pa.binary())).to_pylist())


def _read(messages: Sequence[bytes | None]) -> list[dict[str, object]]:
    return PlainEvents(_COLUMNS, never="never in here").read(pa.array(messages, pa.binary())).to_pylist()


_PRICED = {"id": parse_type("string"), "price": parse_type("decimal(10,3)")}


@pytest.mark.parametrize("price", ["1e-1000", '"1E-00500000000"', "0.5e-20", "0.00000000000000000000", "-5e-99"])
def test_a_decimal_for_which_arrow_has_no_power_of_ten_is_left(price: str) -> None:
    """It would make another one of it, or end the process."""
    read = PlainEvents(_PRICED, "never in here").read(
        pa.array([b'{"id":"a","price":%b}' % price.encode()], pa.binary())
    )
    assert not read.field(PLAIN)[0].as_py()


def test_other_decimals_are_read_beside_what_only_looks_like_one() -> None:
    one = b'{"id":"1234567e-4123-4123-9e-31-1e-305","price":1.5e-2}'
    read = PlainEvents(_PRICED, "never in here").read(pa.array([one], pa.binary()))
    assert read.to_pylist() == [{PLAIN: True, "id": "1234567e-4123-4123-9e-31-1e-305", "price": Decimal("0.015")}]
