"""No two things that a stream writes have one name: one would be written over the other, and nobody would be told."""

import pytest

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream.targets import own_name

POSTGRES = "source: {kind: postgres, tables: [%s]}\nbronze: {table: log.changes}\n"
KAFKA = "source: {kind: kafka, topics: [%s], format: debezium}\nbronze: {table: log.changes}\n"
TEXT = "source: {kind: kafka, topics: [t], format: text}\nbronze: {table: log.%s}\n"
SILVER = "silver: {namespace: %s}\n"
SPEED = "speed: {database: d, rollups: [%s]}\n"
OF_A = "{name: %s, table: public.a, by: {x: x}}"
OF_EVENTS = "{name: %s, by: {x: topic}}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            POSTGRES % "public.billing_bills, billing.bills" + SILVER % "lake",
            "lake.billing_bills in the lake would be both the table public.billing_bills and the table billing.bills",
        ),
        (
            POSTGRES % "public.billing_bills, billing.bills" + SPEED % "",
            "billing_bills in ClickHouse would be both the table public.billing_bills and the table billing.bills",
        ),
        (
            KAFKA % "x.public.t, y.public.t" + SILVER % "lake",
            "lake.t in the lake would be both the table public.t and the table public.t",
        ),
        (
            POSTGRES % "public.a, public.a__deleted" + SILVER % "lake",
            "lake.a__deleted in the lake would be both the deleted keys of public.a and the table public.a__deleted",
        ),
        (
            POSTGRES % "public.changes" + SILVER % "log",
            "log.changes in the lake would be both bronze.table and the table public.changes",
        ),
        (
            POSTGRES % "public.changes__rejects" + SILVER % "log",
            "log.changes__rejects in the lake would be both the rejects of bronze.table and the table public",
        ),
        (
            POSTGRES % "public.changes__mends" + SILVER % "log",
            "both what was done about the rejects of bronze.table and the table public.changes__mends",
        ),
        (
            POSTGRES % "public.a" + SPEED % OF_A % "a",
            "a in ClickHouse would be both the table public.a and the rollup a",
        ),
        (
            POSTGRES % "public.a" + SPEED % f"{OF_A % 'sums'}, {OF_A % 'sums'}",
            "sums in ClickHouse would be both the rollup sums and the rollup sums",
        ),
        (
            POSTGRES % "public.a, public.s__view" + SPEED % OF_A % "s",
            "table public.s__view and the view of the rollup s",
        ),
        (
            POSTGRES % "public.a, public.s__rebuilt" + SPEED % OF_A % "s",
            "public.s__rebuilt and the rollup s, counted anew",
        ),
        (
            POSTGRES % "public.a, public.a__rebuilt" + SPEED % "",
            "both the table public.a, made anew and the table public.a__rebuilt",
        ),
        (
            POSTGRES % "public.a, public.a__deltas" + SPEED % OF_A % "s",
            "both the changes of the table public.a and the table public.a__deltas",
        ),
        (
            POSTGRES % "public.__offsets" + SPEED % "",
            "both what the stream notes itself and the table public.__offsets",
        ),
        (TEXT % "said" + SPEED % OF_EVENTS % "said", "said in ClickHouse would be both the events and the rollup said"),
        (
            TEXT % "said" + SPEED % OF_EVENTS % "said__deltas",
            "both the changes of the events and the rollup said__deltas",
        ),
    ],
)
def test_what_would_be_written_over_is_refused_by_both_its_names(text: str, complaint: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_any(f"pipeline: p\n{text}", "spec.yaml")
    assert complaint in str(refused.value)
    assert "name one of them otherwise, or leave it to another pipeline" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (POSTGRES % "public.a, public.b, public.a", "source.tables: public.a must be named once"),
        (KAFKA % "x.public.a, x.public.a", "source.topics: x.public.a must be named once"),
        (KAFKA % "p.deadletters", "'p.deadletters' is where rejected events are told of"),
        (POSTGRES % "public.a" + SILVER % "_staging", "'_staging' is where pipelines keep what is not ready yet"),
    ],
)
def test_nothing_is_followed_twice_or_written_where_it_would_be_lost(text: str, complaint: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_any(f"pipeline: p\n{text}", "spec.yaml")
    assert complaint in str(refused.value)


def test_what_is_kept_apart_may_be_called_alike() -> None:
    both = POSTGRES % "public.a, billing.a, public.changes" + SILVER % "lake" + SPEED % OF_A % "sums"
    parse_any(f"pipeline: p\n{both}", "spec.yaml")
    # Of no rows, only the log is kept.
    parse_any("pipeline: p\n" + POSTGRES % "public.billing_bills, billing.bills", "spec.yaml")


def test_a_source_tables_name_has_its_schema_unless_that_is_public() -> None:
    assert (own_name("public.bills"), own_name("billing.bills")) == ("bills", "billing_bills")
