"""What a streaming pipeline's spec may say, and how mistakes in it are told."""

import pytest

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.spec import PipelineSpec
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream.spec import EventFormat, StreamSpec

CHANGES = """
pipeline: My meters
source: {kind: postgres, tables: [public.readings, billing.bills]}
bronze: {table: log.changes}
"""


def parsed(text: str) -> StreamSpec:
    spec = parse_any(text, "spec.yaml")
    assert isinstance(spec, StreamSpec)
    return spec


def test_tables_are_followed_by_topics_of_the_pipelines_name() -> None:
    spec = parsed(CHANGES)
    assert spec.topics == ["my_meters.public.readings", "my_meters.billing.bills"]
    assert spec.format is EventFormat.DEBEZIUM


def test_a_prefix_may_be_given() -> None:
    assert parsed(CHANGES.replace("billing.bills]", "billing.bills], prefix: core")).topics[0] == "core.public.readings"


@pytest.mark.parametrize(("text", "seconds"), [("500ms", 0.5), ("10s", 10.0), ("2m", 120.0), ("1.5", 1.5)])
def test_times_are_written_as_people_do(text: str, seconds: float) -> None:
    assert parsed(f"{CHANGES}silver: {{namespace: lake, every: {text}}}").silver is not None
    silver = parsed(f"{CHANGES}silver: {{namespace: lake, every: {text}}}").silver
    assert silver is not None
    assert silver.every == seconds


def test_a_spec_of_files_is_still_one() -> None:
    text = "pipeline: p\nsource: {path: a.csv, format: csv}\ntarget: {table: a.b}\n"
    assert isinstance(parse_any(text, "spec.yaml"), PipelineSpec)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("public.readings", "readings"), "source.tables, item 1: 'readings' is not schema.table"),
        (("tables", "tabels"), "source.tabels: unknown key; did you mean 'tables'?"),
        (("log.changes", "changes"), "bronze.table: must be namespace.table"),
        (("log.changes}", "log.changes, every: soon}"), "bronze.every: must be a time, such as 500ms, 10s or 5m"),
        (("log.changes", "log.changes__rejects"), "those are kept for the pipeline's own records"),
        (("postgres", "oracle"), "source: "),
    ],
)
def test_mistakes_are_told_at_their_place(change: tuple[str, str], complaint: str) -> None:
    with pytest.raises(InvalidInput, match=r"spec.yaml:\d+:\d+: ") as refused:
        parsed(CHANGES.replace(*change))
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ("silver: {namespace: lake}\n", "silver is made of changes"),
        ("schema: {a: int}\n", "schema goes with json"),
    ],
)
def test_what_does_not_go_with_the_format_is_refused(more: str, complaint: str) -> None:
    text = "pipeline: p\nsource: {kind: kafka, topics: [t], format: text}\nbronze: {table: a.b}\n"
    with pytest.raises(InvalidInput, match=complaint):
        parsed(text + more)


def test_avro_needs_its_schema_and_nothing_else_may_have_one() -> None:
    text = "pipeline: p\nsource: {{kind: kafka, topics: [t], format: {}}}\nbronze: {{table: a.b}}\n"
    with pytest.raises(InvalidInput, match="avro_schema"):
        parsed(text.format("avro"))
    with pytest.raises(InvalidInput, match="avro_schema"):
        parsed(text.format("json, avro_schema: {type: record}"))


def test_a_rollup_says_of_which_table_it_is_unless_it_is_of_events() -> None:
    of_none = "speed: {database: d, rollups: [{name: r, by: {a: a}}]}\n"
    of_one = "speed: {database: d, rollups: [{name: r, table: public.t, by: {a: a}}]}\n"
    events = "pipeline: p\nsource: {kind: kafka, topics: [t], format: text}\nbronze: {table: a.b}\n"
    assert parsed(events + of_none).speed is not None
    with pytest.raises(InvalidInput, match="leave `table` out"):
        parsed(events + of_one)
    with pytest.raises(InvalidInput, match="add `table`"):
        parsed(CHANGES + of_none)


def test_a_rollups_columns_have_each_a_name_of_its_own() -> None:
    text = f"{CHANGES}speed: {{database: d, rollups: [{{name: r, table: public.readings, %s}}]}}\n"
    for of_rollup in ("by: {rows: a}", "by: {a: a}, sums: {rows: b}", "by: {a: a}, sums: {a: b}"):
        with pytest.raises(InvalidInput, match="otherwise"):
            parsed(text % of_rollup)


def test_a_rollup_of_what_is_not_followed_is_refused() -> None:
    topics = "pipeline: p\nsource: {kind: kafka, topics: [x.public.t], format: debezium}\nbronze: {table: a.b}\n"
    with pytest.raises(InvalidInput, match="not followed"):
        parsed(f"{topics}speed: {{database: d, rollups: [{{name: r, table: public.others, by: {{a: a}}}}]}}\n")
    with pytest.raises(InvalidInput, match="not followed"):
        parsed(f"{CHANGES}speed: {{database: d, rollups: [{{name: r, table: public.others, by: {{a: a}}}}]}}\n")


@pytest.mark.parametrize("name", ["key", "Topic", "written_at", "_lsn"])
def test_names_that_the_log_has_itself_are_refused(name: str) -> None:
    source = "source: {kind: kafka, topics: [t], format: json}"
    with pytest.raises(InvalidInput, match=f"'{name}' has a name that is kept"):
        parsed(f"pipeline: p\n{source}\nschema: {{{name}: string}}\nbronze: {{table: a.b}}")
    avro = f"avro_schema: {{type: record, name: r, fields: [{{name: {name}, type: string}}]}}"
    with pytest.raises(InvalidInput, match=f"'{name}' has a name that is kept"):
        parsed(f"pipeline: p\nsource: {{kind: kafka, topics: [t], format: avro, {avro}}}\nbronze: {{table: a.b}}")


_AVRO = "avro, avro_schema: {type: record, name: r, fields: [{name: id, type: long}]}"


@pytest.mark.parametrize(
    ("source", "known"),
    [
        ("json", ["event"]),
        ("json}\nschema: {id: bigint, v: int", ["id", "v"]),
        (_AVRO, ["id"]),
        ("text", ["text"]),
        ("binary", ["content"]),
    ],
)
def test_keys_are_columns_that_an_event_has(source: str, known: list[str]) -> None:
    text = f"pipeline: p\nsource: {{kind: kafka, topics: [t], format: {source}}}\nbronze: {{table: a.b}}\n"
    assert parsed(f"{text}keys: [{', '.join(known)}, key, partition]\n").keys == [*known, "key", "partition"]
    with pytest.raises(InvalidInput, match="keys names the column 'nope', which an event does not have") as refused:
        parsed(f"{text}keys: nope\n")
    assert f"(topic, partition, offset, kafka_at, key, {', '.join(known)})" in str(refused.value)


def test_changes_have_the_keys_of_their_tables() -> None:
    with pytest.raises(InvalidInput, match="those of a change are its table's"):
        parsed(f"{CHANGES}keys: id\n")
