"""What is made of a stream's messages: in every format what Spark reads of it, and where Arrow reads it, the same."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import orjson
import pyarrow as pa
import pytest

from boathouse.engines.spark.own_driver import bounded
from boathouse.kit.settings import SparkSettings
from boathouse.pipelines.stream.plain import PLAIN, PlainChanges, PlainEvents
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.types import parse_type
from tests.spark_alone import run_with_spark, spark_jars

Message = tuple[str, bytes | None, bytes | None]

_NUMBERS = [
    "0",
    "-0",
    "7",
    "01",
    "+1",
    "1.0",
    "1.5",
    "1e3",
    "1.2345678901234567123e16",
    "1E400",
    "-1e-400",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "NaN",
    "Infinity",
    "-Infinity",
    "12345678.901",
    "1.2345",
    "0.0005",
    "99999999.999",
    "12345678901.5",
    "12345678901234567.123",
    "0.1234567890123456789",
    "3.4028236e38",
    "16777217",
    ".5",
    "5.",
]
_TEXTS = [
    '""',
    '"12"',
    '"1.5"',
    '"1,000"',
    '" 1.5 "',
    '"+1"',
    '"1."',
    '"1e3"',
    '"NaN"',
    '"true"',
    '"a\\"note\\":b"',
    '"\\u0000"',
    '"\\ud800"',
    '"\\ud83d\\ude00"',
    '"é"',
    '"\\u00e9"',
    '"a\\nb"',
    '"a\nb"',
    '"}{"',
    '"\\x"',
    "'a'",
]
_MOMENTS = [
    "2026-01-03T04:15:00Z",
    "2026-01-03 04:15:00",
    "2026-01-03T04:15:00.123456Z",
    "2026-01-03T04:15:00.1234567Z",
    "2026-01-03T04:15:00+02:00",
    "2026-01-03T24:00:00Z",
    "2026-01-03T23:59:60Z",
    "2026-02-30T00:00:00Z",
    "2026-1-3",
    "2026-01-03",
    "2026-01-03Z",
    "2026-02-30",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z",
    "10000-01-01T00:00:00Z",
    "2026-01-03T04:15:00ZZ",
    "2026-01-03T04:15Z",
    "2026-01-03T041500.123456Z",
    "2026-01-03T04:15:00.Z",
    "1582-10-10T00:00:00Z",
    "2026-01-03T04:15:00-0330",
    "2026-01-03T04:15:00.5",
    "0001-01-01T00:00:00",
    "1700-01-01T00:00:00.000001",
    "2026-01-03x04:15:00Z",
    "20260103T041500.000Z",
]
_OTHERS = ["true", "false", "null", "[]", "{}", '{"a":1}', "[1]", "True", ""]
_ODD = [*_NUMBERS, *_TEXTS, *(f'"{moment}"' for moment in _MOMENTS), *_OTHERS]
_PLAIN = {
    "id": "1",
    "small": "2",
    "read_at": '"2026-01-03T04:15:00Z"',
    "local": '"2026-01-03T04:15:00"',
    "day": '"2026-01-03"',
    "kwh": "1.234",
    "large": "12345678901234567.123",
    "ratio": "0.25",
    "part": "0.5",
    "right": "true",
    "note": "null",
}
_KINDS = ["long", "int", "timestamp", "timestamp_ntz", "date", "decimal(10,3)", "decimal(38,3)", "double", "float"]
_SCHEMA = dict(zip(_PLAIN, [*_KINDS, "boolean", "string"], strict=True))
_SPEC: dict[str, Any] = {
    "pipeline": "plain",
    "source": {"kind": "kafka", "topics": ["t"], "format": "json"},
    "bronze": {"table": "a.b", "every": "1s"},
}


Told = dict[str, Any]


@pytest.fixture(scope="module")
def told() -> Told:
    """All is asked at once, since a Spark of its own takes long to start."""
    spec, tables = {**_SPEC, "schema": _SCHEMA}, {"tables": _TABLES}
    events, changes = [("t", None, message) for message in _all_messages()], list(_changes())
    keyed = [("t", key, b'{"a":1}') for key in (b"\xff\x00", b"\\xff", None)]
    nested = [("t", None, message) for message in _NESTED]
    asked = {
        "events one by one": _asked(events, at_once=1, spec=spec),
        "events": _asked(events, at_once=7, spec=spec),
        "changes one by one": _asked(changes, at_once=1, **tables),
        "changes": _asked(changes, at_once=7, **tables),
        "odd": _asked(_ODD_CHANGES, at_once=1, **tables),
        "keys": _asked(keyed, at_once=1, spec=_SPEC),
        "several tables": _asked(_of_several_tables(), at_once=100, **tables),
        "nested": _asked(nested, at_once=1, spec={**_SPEC, "schema": _NESTED_SCHEMA}),
        "kept": _asked([("t", None, _KEPT)], at_once=1, spec={**_SPEC, "schema": _KEPT_SCHEMA}, as_kept=True),
        **{name: _in_format(name) for name in _FORMATS},
        **{name: _asked(messages, at_once=3, spec={**_SPEC, **spec}) for name, (spec, messages, _) in _KEYED.items()},
        "too light": _asked([_price(row) for row, _ in _LIGHT], at_once=1, **_PRICES),
        "too light events": _asked(
            [("t", None, _object(event)) for event, _ in _LIGHT_EVENTS],
            at_once=1,
            spec={**_SPEC, "schema": _LIGHT_SCHEMA},
        ),
        "planned": {"planned": _asked(changes[:1], at_once=1)["messages"], **tables},
        **{name: _asked(messages, at_once=1, **given) for name, (given, messages, _) in {**_MORE, **_LONG}.items()},
        "learned": {"topic": "t", "batches": [_asked(batch, at_once=1)["messages"] for batch in _UNTOLD]},
    }
    jars = [str(jar) for jar in spark_jars()]
    options = " ".join(f'--conf "{name}={value}"' for name, value in bounded(SparkSettings()).items())
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYSPARK_SUBMIT_ARGS", f"{options} pyspark-shell")
        done = run_with_spark(["-m", "tests.integration.judging_spark", *jars], orjson.dumps(asked).decode())
    assert done.returncode == 0, done.stderr[-3000:]
    return orjson.loads(done.stdout)


def _asked(messages: Sequence[Message], *, at_once: int, **given: Any) -> dict[str, Any]:
    as_text = [(topic, *(None if one is None else one.hex() for one in texts)) for topic, *texts in messages]
    return {**given, "messages": as_text, "at_once": at_once}


@pytest.mark.parametrize("how", ["events", "events one by one"])
def test_arrow_reads_what_spark_reads(told: Told, how: str) -> None:
    _same(list(_all_messages()), told[how])
    assert '"large":12345678901234567.123' in told[how]["with_arrow"][0][1][0]


@pytest.mark.parametrize("how", ["changes", "changes one by one"])
def test_arrow_reads_the_changes_that_spark_reads(told: Told, how: str) -> None:
    _same(list(_changes()), told[how])


def test_changes_of_several_tables_at_once_stay_in_their_places(told: Told) -> None:
    of_several = told["several tables"]
    assert of_several["with_arrow"] == of_several["without"]


@pytest.mark.parametrize("how", ["with_arrow", "without"])
def test_what_no_hop_could_take_is_a_problem(told: Told, how: str) -> None:
    assert [problem for problem, _ in told["odd"][how]] == [
        "source.ts_ms is out of range",
        "source.lsn is negative",
        "source.lsn is negative",
        "key is not UTF-8",
        "is not UTF-8",
    ]


def test_a_key_of_an_event_that_is_no_text_is_kept_in_hexadecimal(told: Told) -> None:
    assert told["keys"]["with_arrow"] == [[None, ['{"event":{"a":1}}', key]] for key in ("\\xff00", "\\xff", None)]


def test_arrow_takes_what_is_plain() -> None:
    """Or the tests above would compare Spark with itself."""
    kinds = {name: parse_type(kind) for name, kind in _SCHEMA.items()}
    taken = [PlainEvents(kinds, "never").read(pa.array([one], pa.binary())) for one in _all_messages()]
    assert sum(one.field(PLAIN)[0].as_py() for one in taken) > 100
    columns = {name: parse_type(kind) for name, kind in _TABLES["readings"]["columns"].items()}
    reader = PlainChanges({"readings": SourceTable("readings", columns, ("id",), "f")}, "never")
    read = [reader.read(pa.array([one[0]]), pa.array([one[2]], pa.binary())) for one in _changes()]
    assert sum(one.field(PLAIN)[0].as_py() for one in read) > 100


def _same(messages: Sequence[Any], told: dict[str, list[Any]]) -> None:
    both = zip(messages, told["with_arrow"], told["without"], strict=True)
    assert [(message, quick, slow) for message, quick, slow in both if quick != slow] == []
    good = [problem for problem, _ in told["without"] if problem is None]
    assert 100 < len(good) < len(messages) - 100


_AVRO = {
    "type": "record",
    "name": "event",
    "namespace": "org.example",
    "fields": [{"name": "id", "type": ["null", "long"]}, {"name": "note", "type": ["null", "string"]}],
}
_ID, _KEY = "id is missing, and it is of the key", "key is missing, and it is of the key"
_KEYED: dict[str, tuple[dict[str, Any], list[Message], list[str | None]]] = {
    "keyed json": (
        {"schema": {"id": "bigint", "v": "int"}, "keys": ["id", "key"]},
        [
            ("t", b"k", b'{"id":1,"v":null}'),
            ("t", b"k", b'{"id":null,"v":1}'),
            ("t", b"k", b'{"v":1}'),
            ("t", b"k", b'{"id":null,"v":"x"}'),
            ("t", None, b'{"id":2,"v":1}'),
            ("t", b"k", b'{"id":"x","v":1}'),
        ],
        [None, _ID, _ID, f"{_ID}; v is not int: x", _KEY, "id is not bigint: x"],
    ),
    "keyed avro": (
        {"source": {**_SPEC["source"], "format": "avro", "avro_schema": _AVRO}, "keys": ["id"]},
        [("t", None, bytes([2, 14, 0])), ("t", None, bytes([0, 0])), ("t", None, b"\xff\xff")],
        [None, _ID, "is not Avro of the schema"],
    ),
    **{
        f"keyed {name}": (
            {"source": {**_SPEC["source"], "format": name}, "keys": ["key"]},
            [("t", b"k", b"1"), ("t", None, b"1"), ("t", None, None)],
            [None, _KEY, "has no value"],
        )
        for name in ("text", "binary")
    },
    "keyed as it comes": (
        {"keys": ["key", "event"]},
        [("t", b"k", b'{"a":1}'), ("t", None, b"{}")],
        [None, _KEY],
    ),
}


@pytest.mark.parametrize("name", _KEYED)
def test_an_event_that_lacks_its_key_is_a_problem_and_no_other_event(told: Told, name: str) -> None:
    _, _, wrong = _KEYED[name]
    for found in told[name].values():
        assert [problem for problem, _ in found] == wrong


def test_to_find_what_is_rejected_takes_little_more_than_to_judge(told: Told) -> None:
    """Once Spark planned it for a minute, for each batch that had such an event."""
    of_all, of_rejected = told["planned"]
    assert of_rejected < 1.5 * of_all


def test_the_key_of_a_topic_is_learned_as_soon_as_events_tell_it(told: Told) -> None:
    without, with_key, *_ = told["learned"]
    assert without == [[None, None], ["id", "v"], []]
    # Not from the first that has one, if that is not as the others are.
    assert with_key == [[None] * 4, ["id", "v"], ["id"]]


def test_a_column_that_is_called_as_one_of_ours_is_told_of_and_not_learned(told: Told) -> None:
    problems, columns, key = told["learned"][2]
    why = "has a name that is kept for where a change came from: rename it in its table"
    assert problems == [None, f"_LSN {why}", None]
    assert (columns, key) == (["id", "v", "more"], ["id"])


def test_of_columns_that_differ_only_in_their_case_the_first_is_learned_and_the_other_told_of(told: Told) -> None:
    problems, columns, _ = told["learned"][3]
    why = "differs only in its case from another column: rename it in its table"
    assert problems == [
        None,
        f"ID {why}",
        f"LAST {why}",
        f"_OP has a name that is kept for where a change came from: rename it in its table; V {why}",
    ]
    assert columns == ["id", "v", "more", "last"]


_BEHIND = (b'{"id":2}', b'\n{"id":2}', b" xyz", b",", b',{"id":2}', b',{"id":2}]', b" 5 {}", b"]", b"}", b"\0")
_BEHIND_IT = "has more behind its first JSON document"


def _with_more(good: bytes) -> list[Message]:
    return [("tags", None, message) for message in (*(good + more for more in _BEHIND), b" " + good + b" \n")]


_TAG = b'{"before":null,"after":{"id":1,"name":"a"},"source":{"lsn":1},"op":"c"}'
_NOTED = {"id": "bigint", "note": "string"}
_MORE: dict[str, tuple[dict[str, Any], list[Message], list[str | None]]] = {
    "more events": (
        {"spec": {**_SPEC, "schema": _NOTED}},
        [
            *_with_more(b'{"id":1,"note":"a"}'),
            ("t", None, b'{"id":1,"note":NaN}'),
            ("t", None, b'{"id":1,"note":NaN} {"id":2,"note":NaN}'),
        ],
        [*(_BEHIND_IT for _ in _BEHIND), None, None, _BEHIND_IT],
    ),
    "more as it comes": (
        {"spec": _SPEC},
        [*_with_more(b'{"id":1}'), *(("t", None, text) for text in (b"1 2 3", b"1", b'"a"', b"[1]", b"[1][2]"))],
        [*(_BEHIND_IT for _ in _BEHIND), None, _BEHIND_IT, None, None, None, _BEHIND_IT],
    ),
    "more changes": (
        {"tables": {"tags": {"columns": {"id": "long", "name": "string"}, "key": ["id"]}}},
        [*_with_more(_TAG), ("tags", None, _TAG.replace(b'"c"', b'"m"') + _TAG)],
        [*(_BEHIND_IT for _ in _BEHIND), None, _BEHIND_IT],
    ),
}


@pytest.mark.parametrize("name", _MORE)
def test_what_stands_behind_an_event_is_a_problem_and_not_left_out(told: Told, name: str) -> None:
    _, _, wrong = _MORE[name]
    for found in told[name].values():
        assert [problem for problem, _ in found] == wrong


_LONG_TEXT = b'"' + b"x" * 20_000_004 + b'"'
_TOO_LONG = "or has a text of more than 20 million characters"
_LONG: dict[str, tuple[dict[str, Any], list[Message], str]] = {
    "long events": (
        {"spec": {**_SPEC, "schema": {"notes": "array<string>"}}},
        [("t", None, b'{"notes":[%b]}' % _LONG_TEXT)],
        f"is not a JSON object, {_TOO_LONG}",
    ),
    "long as it comes": ({"spec": _SPEC}, [("t", None, _LONG_TEXT)], f"is not JSON, {_TOO_LONG}"),
    "long changes": (
        {"tables": {"files": {"columns": {"id": "long", "content": "binary"}, "key": ["id"]}}},
        [("files", None, _TAG.replace(b'"name":"a"', b'"content":%b' % _LONG_TEXT))],
        f"is not a change as Debezium writes it, {_TOO_LONG}",
    ),
}


@pytest.mark.parametrize("name", _LONG)
def test_a_text_that_is_too_long_for_spark_is_told_as_perhaps_that(told: Told, name: str) -> None:
    _, _, wrong = _LONG[name]
    for found in told[name].values():
        assert [problem for problem, _ in found] == [wrong]


_NESTED_SCHEMA = {"parts": "array<decimal(21,3)>", "one": "struct<a: decimal(4,1), b: array<struct<c: int>>>"}
_NESTED = [
    b'{"parts":[12345678901234567.123,null],"one":{"a":1.5,"b":[{"c":1}]}}',
    b'{"parts":[1,1234567890123456789012.5],"one":null}',
    b'{"parts":[],"one":{"a":12345.6}}',
    b'{"parts":null,"one":{"a":1,"b":[{"c":"x"}]}}',
    b'{"parts":5,"one":{"a":1,"b":[5]}}',
]


def test_what_does_not_fit_within_a_value_is_a_problem_of_the_whole(told: Told) -> None:
    one = "one is not struct<`a`:decimal(4,1),`b`:array<struct<`c`:int>>>"
    fits, *others = told["nested"]["with_arrow"]
    assert fits == [None, ['{"parts":[12345678901234567.123,null],"one":{"a":1.5,"b":[{"c":1}]}}', None]]
    assert [problem for problem, _ in others] == [
        "parts is not array<decimal(21,3)>: [1,1.2345678901234568E21]",
        f'{one}: {{"a":12345.6}}',
        f'{one}: {{"a":1,"b":[{{"c":"x"}}]}}',
        f'parts is not array<decimal(21,3)>: 5; {one}: {{"a":1,"b":[5]}}',
    ]


_KEPT_SCHEMA = {
    "one": "struct<a: int, b: int, at: timestamp>",
    "by": "map<string,int>",
    "many": "array<struct<a: int>>",
    "plain": "array<int>",
    "none": "struct<a: int>",
}
_KEPT = (
    b'{"one":{"a":1,"b":null,"at":"2026-01-03T04:15:00.123456Z"},"by":{"k":1,"n":null},'
    b'"many":[{"a":1},null],"plain":[1],"none":null}'
)


def test_records_and_maps_of_events_are_json_in_clickhouse(told: Told) -> None:
    ((problem, (kept,)),) = told["kept"]["with_arrow"]
    assert problem is None
    assert orjson.loads(kept) == {
        "one": '{"a":1,"b":null,"at":"2026-01-03T04:15:00.123456Z"}',
        "by": '{"k":1,"n":null}',
        "many": ['{"a":1}', None],
        "plain": [1],
    }


_PRICE_KINDS = {
    "id": "long",
    "price": "decimal(10,2)",
    "day": "date",
    "at": "timestamp_ntz",
    "told": "timestamp",
    "part": "float",
    "days": "array<date>",
    "prices": "array<decimal(10,2)>",
    "count": "int",
    "long": "bigint",
    "right": "boolean",
}
_PRICES: dict[str, Any] = {"tables": {"prices": {"columns": _PRICE_KINDS, "key": ["id"]}}}
_LIGHT: list[tuple[dict[str, str], str | None]] = [
    # As they come when the source's column has become another one, while the lake's stays.
    ({"price": '"1.2345"'}, "price is not decimal(10,2): 1.2345"),
    ({"price": '"1.2300"', "prices": '["1.20","1.200"]'}, None),
    ({"price": "1.0E-7"}, "price is not decimal(10,2): 1.0E-7"),
    ({"price": "1.0E7"}, None),
    ({"price": '"1e-500000000"'}, "price is not decimal(10,2): 1e-500000000"),
    ({"day": '"2024-01-01T10:00:00Z"'}, "day is not date: 2024-01-01T10:00:00Z"),
    ({"day": '"10:00:00Z"'}, "day is not date: 10:00:00Z"),
    ({"day": '"+12345-01-01Z"', "at": '"-0044-03-15T12:00:00Z"', "told": '"+12345-01-01T00:00:00Z"'}, None),
    ({"at": '"2024-01-01Z"', "told": '"2024-01-01"'}, None),
    ({"at": '"10:00:00Z"'}, "at is not timestamp_ntz: 10:00:00Z"),
    ({"at": '"2024"', "told": '"10:00:00Z"'}, "at is not timestamp_ntz: 2024; told is not timestamp: 10:00:00Z"),
    ({"part": "1.0E39"}, "part is not float: 1.0E39"),
    ({"part": '"-Infinity"'}, None),
    ({"days": '["2024-01-01Z","-0044-03-15Z",null]'}, None),
    ({"days": '["2024-01-01T10:00:00Z"]'}, 'days is not array<date>: ["2024-01-01T10:00:00Z"]'),
    ({"prices": '["1.2345"]'}, 'prices is not array<decimal(10,2)>: ["1.2345"]'),
    ({"count": '"42"', "long": '"-7"', "right": '"true"'}, None),
    ({"count": "-0", "long": '"0"', "right": "false"}, None),
    ({"count": '"007"', "long": '" 42 "'}, "count is not int: 007; long is not bigint:  42 "),
    ({"count": '"+5"', "long": '"-07"'}, "count is not int: +5; long is not bigint: -07"),
    ({"right": '"yes"'}, "right is not boolean: yes"),
    ({"right": '"TRUE"'}, "right is not boolean: TRUE"),
]
_LIGHT_SCHEMA = {
    "price": "decimal(10,2)",
    "large": "decimal(38,20)",
    "day": "date",
    "at": "timestamp",
    "part": "double",
}
_LIGHT_EVENTS: list[tuple[dict[str, str], str | None]] = [
    (dict(zip(_LIGHT_SCHEMA, values, strict=True)), problem)
    for *values, problem in (
        ("1.25", "1.00000000000000000001", '"2024-01-01"', '"2024-01-01"', "1.5", None),
        ("1.255", "1", "null", "null", "1", "price is not decimal(10,2): 1.255"),
        ("1.2500000000000000001", "1", "null", "null", "1", "price is not decimal(10,2): 1.25"),
        (
            "1",
            "1",
            '"2026"',
            '"10:00"',
            '"1.5d"',
            "day is not date: 2026; at is not timestamp: 10:00; part is not double: 1.5d",
        ),
        ("1", "1", "null", '"2026-01"', '"1e400"', "at is not timestamp: 2026-01; part is not double: 1e400"),
    )
]


def _price(row: dict[str, str]) -> Message:
    return (
        "prices",
        None,
        _change("c", "null", _text({name: row.get(name, "null") for name in _PRICE_KINDS} | {"id": "1"})),
    )


@pytest.mark.parametrize("how", ["with_arrow", "without"])
@pytest.mark.parametrize(("name", "asked"), [("too light", _LIGHT), ("too light events", _LIGHT_EVENTS)])
def test_what_a_cast_would_round_cut_off_or_make_up_is_a_problem(
    told: Told, name: str, asked: list[tuple[Any, str | None]], how: str
) -> None:
    assert [problem for problem, _ in told[name][how]] == [problem for _, problem in asked]


def test_days_of_any_year_are_kept_as_they_are(told: Told) -> None:
    rows = [orjson.loads(row) for _, written in told["too light"]["with_arrow"] if written for row in [written[6]]]
    assert [(row["day"], row["at"][:17]) for row in rows if row["day"]] == [("+12345-01-01", "-0044-03-15 12:00")]
    assert [row["days"] for row in rows if row["days"]] == [["2024-01-01", "-0044-03-15", None]]


Read = list[tuple[bytes, str | None, str | None]]
"""Messages, each with what is wrong with it, or its row."""


def _text_of(text: str, encoding: str) -> tuple[bytes, None, str]:
    return text.encode(encoding), None, orjson.dumps({"text": text}).decode()


_SO_LONG = b"\xee\xff\xff\xff\x0f"
"""How Avro writes 2,147,483,639, the longest that it reads if it is not told otherwise."""
_COLLECTING = {
    "type": "record",
    "name": "event",
    "fields": [
        {"name": "raw", "type": ["null", "bytes"]},
        {"name": "many", "type": {"type": "array", "items": "long"}},
        {"name": "by", "type": {"type": "map", "values": "long"}},
        {"name": "within", "type": {"type": "array", "items": {"type": "array", "items": "string"}}},
    ],
}
_A_REGISTRYS = "It may be a schema registry's, which has the schema's number before it"
_FORMATS: dict[str, tuple[dict[str, Any], Read]] = {
    # A text that has the mark of what cannot be read is UTF-8 all the same.
    "utf-8": ({}, [_text_of("Zähler \ufffd", "utf-8"), (b"Z\xe4", "is not UTF-8", None)]),
    "us-ascii": ({}, [_text_of("Zaehler", "us-ascii"), (b"Z\xe4hler", "is not US-ASCII", None)]),
    "latin-1": ({}, [_text_of("Zähler", "latin-1")]),
    "iso-8859-15": ({}, [_text_of("12 €", "iso-8859-15")]),
    "windows-1250": ({}, [_text_of("licznik żółty", "cp1250"), (b"\x81", "is not WINDOWS-1250", None)]),
    "windows-1251": ({}, [_text_of("счётчик", "cp1251"), (b"\x98", "is not WINDOWS-1251", None)]),
    "windows-1252": ({}, [_text_of("Zähler: 12 €", "cp1252"), (b"\x81", "is not WINDOWS-1252", None)]),
    "koi8-r": ({}, [_text_of("счётчик", "koi8-r")]),
    "json": (
        {"format": "json"},
        [
            ('{"a":"Zähler"}'.encode(), None, '{"event":{"a":"Zähler"}}'),
            ('{"a":"Zähler"}'.encode("latin-1"), "is not UTF-8", None),
            (b'{"a":', "is not JSON", None),
        ],
    ),
    # Zig-zag numbers, each after which of its union it is.
    "avro": (
        {"format": "avro", "avro_schema": _AVRO},
        [
            (bytes([2, 14, 0]), None, '{"id":7,"note":null}'),
            (bytes([0, 0]), None, '{"id":null,"note":null}'),
            (bytes([2]), "is not Avro of the schema", None),
            (b"\xff\xff", "is not Avro of the schema", None),
            (b"", "is not Avro of the schema", None),
            (bytes([2, 14, 2, 4]) + b"hi", None, '{"id":7,"note":"hi"}'),
            (bytes([2, 14, 0]) + b"more", "is not Avro of the schema", None),
            (bytes([2, 14, 0, 2, 16, 0]), "is not Avro of the schema", None),
            (bytes([0, 0, 0, 0, 5, 2, 14, 0]), f"is not Avro of the schema. {_A_REGISTRYS}", None),
            # Only said to be that long: there is nothing behind it.
            (b"\x02\x02" + _SO_LONG, "is not Avro of the schema", None),
            (bytes([2, 14, 2, 4]) + b"hi", None, '{"id":7,"note":"hi"}'),
        ],
    ),
    "avro's collections": (
        {"format": "avro", "avro_schema": _COLLECTING},
        [
            (
                b"\x02\x02!\x02\x02\x00\x02\x02k\x04\x00\x02\x02\x02a\x00\x00",
                None,
                '{"raw":"IQ==","many":[1],"by":{"k":2},"within":[["a"]]}',
            ),
            (b"\x02" + _SO_LONG, "is not Avro of the schema", None),
            (b"\x02\x00" + _SO_LONG, "is not Avro of the schema", None),
            (b"\x02\x00\x00" + _SO_LONG, "is not Avro of the schema", None),
            (b"\x02\x00\x00\x00" + _SO_LONG + b"\x00", "is not Avro of the schema", None),
            (b"\x02\x00\x00\x00\x02" + _SO_LONG, "is not Avro of the schema", None),
            # Ten million and one that are there.
            (
                b"\x02\x00\x82\xda\xc4\x09" + bytes(10_000_001) + b"\x00\x00\x00",
                "is not Avro of the schema, or has a list of more than 10 million items",
                None,
            ),
        ],
    ),
}


def _in_format(name: str) -> dict[str, Any]:
    given, read = _FORMATS[name]
    source = {**_SPEC["source"], **(given or {"format": "text", "encoding": name})}
    return _asked([("t", None, message) for message, _, _ in read], at_once=1, spec={**_SPEC, "source": source})


@pytest.mark.parametrize("name", _FORMATS)
def test_each_format_is_read_and_what_it_cannot_be_is_told(told: Told, name: str) -> None:
    _, read = _FORMATS[name]
    # They have no key.
    assert told[name]["with_arrow"] == [[wrong, None if wrong else [row, None]] for _, wrong, row in read]


def _all_messages() -> Iterator[bytes | None]:
    # A number of more digits than a double has, beside a text for a number, so that Arrow leaves it to Spark.
    yield _object({**_PLAIN, "id": '"1"'})
    yield from _messages()


def _messages() -> Iterator[bytes | None]:
    yield from (None, b"", b"{}", b"null", b"[]", b"\xff", b"{", b"}", b"\xef\xbb\xbf" + _object(_PLAIN))
    plain = _object(_PLAIN)
    yield from (
        plain,
        b" " + plain,
        plain + b"\n",
        plain + b" x",
        plain + plain,
        plain[:-1],
        plain.replace(b",", b" , "),
    )
    yield from (plain.replace(b'":', b'" : '), plain.replace(b"{", b"{\n"), plain.replace(b"null", b'"\xff"'))
    yield plain.replace(b"null", b'"__debezium_unavailable_value"')
    yield plain.replace(b'"note":null', b'"note":null,"note":"b"')
    yield plain.replace(b'"note":null', b'"note":"a","x\\"note":null')
    yield plain.replace(b',"note":null', b"")
    yield plain.replace(b',"note":null', b',"other":"\\"note\\":"')
    yield plain.replace(b'"id":1', b'"\\u0069d":1')
    yield plain.replace(b"}", b',"more":1}')
    for name in _PLAIN:
        for odd in _ODD:
            yield _object({**_PLAIN, name: odd})
    chance = random.Random(20260103)
    for _ in range(500):
        values = {name: chance.choice(_ODD) if chance.random() < 0.2 else value for name, value in _PLAIN.items()}
        names = list(values)
        chance.shuffle(names)
        yield _object({name: values[name] for name in names if chance.random() > 0.02})


def _object(values: dict[str, str]) -> bytes:
    return ("{" + ",".join(f'"{name}":{value}' for name, value in values.items()) + "}").encode()


_ROW = {
    "id": "1",
    "small": "2",
    "name": '"Ada"',
    "read_at": '"2026-01-03T04:15:00.123456Z"',
    "local": '"2026-01-03T04:15:00Z"',
    "day": '"2026-01-03Z"',
    "kwh": '"1.234"',
    "ratio": "0.25",
    "right": "true",
    "note": "null",
}
_ROW_KINDS = ["long", "int", "string", "timestamp", "timestamp_ntz", "date", "decimal(10,3)", "double", "boolean"]
_TABLES: dict[str, Any] = {
    "readings": {"columns": dict(zip(_ROW, [*_ROW_KINDS, "string"], strict=True)), "key": ["id"]},
    "tags": {"columns": {"id": "long", "name": "string"}, "key": ["id", "name"]},
    "lists": {"columns": {"id": "long", "parts": "array<int>"}, "key": ["id"]},
}
_SOURCE = (
    '"source":{"version":"3.6.3.Final","connector":"postgresql","name":"p","ts_ms":1767225600000,"snapshot":"false",'
    '"db":"b","sequence":"[\\"1\\",\\"2\\"]","ts_us":1,"ts_ns":2,"schema":"public","table":"t","txId":764,"lsn":24023128,"xmin":null}'
)


def _of_several_tables() -> list[Message]:
    topics = ["tags", "readings", "lists", "other"]
    return [(topics[number % 4], None, _change("c", "null", _row(number))) for number in range(200)]


def _row(number: int) -> str:
    of = [_text({**_ROW, "id": str(number)}), f'{{"id":{number},"parts":[1,null]}}', f'{{"id":{number},"name":"n"}}']
    return of[{0: 2, 1: 0, 2: 1, 3: 2}[number % 4]]


def _changes() -> Iterator[Message]:
    plain = _text(_ROW)
    key = b'{"id":1}'
    for op, before, after in (("c", "null", plain), ("r", "null", plain), ("u", "null", plain), ("u", plain, plain)):
        yield "readings", key, _change(op, before, after)
    only_key = _text({name: value if name == "id" else "null" for name, value in _ROW.items()})
    for op, before in (("d", plain), ("d", only_key), ("d", "null"), ("u", only_key)):
        yield "readings", key, _change(op, before, "null")
    yield "readings", key, _change("c", plain, plain)
    for op in ("t", "m", "x", ""):
        yield "readings", key, _change(op, "null", "null")
    good = _change("c", "null", plain)
    yield from (("readings", key, value) for value in (None, b"", b"{}", b"null", good[:-1], good + b" x", good + good))
    yield from (("readings", key, good.replace(*one)) for one in _TWISTS)
    yield "readings", key, _change("c", "null", plain.replace("}", ',"more":1}'))
    yield "readings", key, _change("u", plain.replace("}", ',"more":1}'), plain)
    yield "readings", key, _change("c", "null", plain.replace("}", ',"note":1}'))
    yield "readings", None, _change("c", "null", plain.replace('"note":null', '"x":null'))
    for name in _ROW:
        yield "readings", key, _change("c", "null", _text({each: _ROW[each] for each in _ROW if each != name}))
        for odd in _ODD:
            yield "readings", key, _change("c", "null", _text({**_ROW, name: odd}))
            yield "readings", key, _change("u", _text({**_ROW, name: odd}), plain)
    yield "elsewhere", key, good


_TWISTS = [
    (b'"ts_ms":3', b'"ts_ms":"3"'),
    (b'"lsn":24023128', b'"lsn":null'),
    (b'"lsn":24023128', b'"lsn":"24023128"'),
    (b'"lsn":24023128', b'"lsn":-1'),
    (b'"lsn":24023128', b'"lsn":9223372036854775808'),
    (b'"txId":764', b'"txId":null'),
    *(
        (rb'"sequence":"[\"1\",\"2\"]"', b'"sequence":' + told)
        for told in (
            rb'"[\"24023129\",\"2\"]"',
            rb'"[null,\"2\"]"',
            b"null",
            b'"none"',
            b"[1,2]",
            rb'"[ \"24023130\"]"',
        )
    ),
    *((b'"ts_ms":1767225600000', b'"ts_ms":%d' % at) for at in (9_300_000_000_000_000, 253_402_300_800_000, -(10**17))),
    (b'"ts_ms":1767225600000', b'"ts_ms":253402300799999'),
    (b'"ts_ms":1767225600000', b'"ts_ms":null'),
    (b'"op":"c"', b'"op":null'),
    (b'"op":"c"', b'"op":"c","op":"d"'),
    (b'"xmin":null', b'"xmin":{"a":[1]}'),
    (b'"transaction":null', b'"transaction":{"id":"571:53195829","total_order":1}'),
    (b"Ada", b"__debezium_unavailable_value"),
    (b"Ada", b"\xff"),
    (b'"source":{', b'"source":null,"was":{'),
]


def _change(op: str, before: str, after: str) -> bytes:
    end = f'"transaction":null,"op":"{op}","ts_ms":3,"ts_us":4,"ts_ns":5}}'
    return f'{{"before":{before},"after":{after},{_SOURCE},{end}'.encode()


def _untold(key: bytes | None, row: dict[str, str], op: str = "c") -> Message:
    there = _object(row).decode()
    return "t", key, _change(op, there, "null") if op == "d" else _change(op, "null", there)


_UNTOLD: list[list[Message]] = [
    [_untold(None, {"id": "1", "v": '"a"'}), _untold(b"not JSON", {"id": "2", "v": '"b"'})],
    [
        _untold(b'{"v":"c"}', {"id": "3", "v": '"c"'}),
        _untold(None, {"id": "4", "v": '"d"'}),
        *(_untold(b'{"id":%d}' % number, {"id": str(number), "v": '"e"'}) for number in (5, 6)),
    ],
    [
        _untold(b'{"id":7}', {"id": "7", "v": '"f"', "more": "1"}),
        _untold(b'{"id":8}', {"id": "8", "v": '"g"', "more": "1", "_LSN": "1"}),
        # Its key is all that is asked of it.
        _untold(b'{"id":9}', {"id": "9", "v": '"h"', "_LSN": "1"}, op="d"),
    ],
    [
        _untold(b'{"id":10}', {"id": "10", "v": '"i"', "more": "1", "last": "1"}),
        _untold(b'{"id":11}', {"id": "11", "v": '"j"', "ID": "1"}),
        _untold(b'{"id":12}', {"id": "12", "v": '"k"', "last": "1", "LAST": "2"}),
        _untold(b'{"id":13}', {"id": "13", "v": '"l"', "V": "1", "_OP": "2"}),
    ],
]
_ODD_CHANGES: list[Message] = [
    ("readings", None, _change("c", "null", _object(_ROW).decode()).replace(b"1767225600000", b"9300000000000000")),
    ("readings", None, _change("c", "null", _object(_ROW).decode()).replace(b"24023128", b"-1")),
    ("readings", None, _change("t", "null", "null").replace(b"24023128", b"-1")),
    ("readings", b"\xff", _change("c", "null", _object(_ROW).decode())),
    ("readings", b"\xff", b"\xff"),
]


def _text(values: dict[str, str]) -> str:
    return _object(values).decode()
