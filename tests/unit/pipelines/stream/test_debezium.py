"""Which connector follows which table, and how."""

import re
from contextlib import closing

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from boathouse.kit.access import ConnectAccess, PostgresAccess
from boathouse.kit.errors import BoathouseError, InvalidInput, Unavailable
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream.debezium import (
    _BOUNDED,
    Connector,
    Connectors,
    Following,
    _following,
    _refusal,
    assigned,
    connector_config,
    rows_from,
    slot_name,
    standing,
)
from boathouse.pipelines.stream.spec import StreamSpec


def test_a_table_that_came_later_has_a_connector_of_its_own_which_begins_with_its_rows() -> None:
    first = assigned("shop", ["public.a", "public.b"], {})
    assert list(first.values()) == [["public.a", "public.b"]]
    then = assigned("shop", ["public.a", "public.b", "public.c"], first)
    (later,) = then.keys() - first.keys()
    assert then == {**first, later: ["public.c"]}
    assert assigned("shop", ["public.a", "public.b", "public.c"], then) == then


def test_a_table_that_was_left_out_for_a_while_begins_anew() -> None:
    # As the first was called in earlier versions.
    there = {"shop": ["public.a", "public.b"]}
    without = assigned("shop", ["public.a"], there)
    assert without == {"shop": ["public.a"]}
    again = assigned("shop", ["public.a", "public.b"], without)
    (later,) = again.keys() - {"shop"}
    assert again[later] == ["public.b"]
    assert assigned("shop", ["public.a"], again) == {"shop": ["public.a"], later: []}
    assert list(assigned("shop", ["public.c"], there).values()) == [[], ["public.c"]]


def test_no_connector_has_a_name_that_another_had() -> None:
    # Connect would go on where that one was, also if somebody has deleted it.
    names = [name for _ in range(3) for name in assigned("shop", ["public.a"], {})]
    assert len(set(names)) == 3
    assert all(name.startswith("shop-") for name in names)


@pytest.mark.parametrize(
    ("states", "told"),
    [
        ([], ("starting", None)),
        (["RUNNING", "UNASSIGNED"], ("starting", None)),
        (["RUNNING", "RUNNING"], ("running", None)),
        (
            ["RUNNING", "PAUSED"],
            ("stopped", "Debezium's connector shop-1 is paused in Kafka Connect: resume it there."),
        ),
        (["STOPPED"], ("stopped", "Debezium's connector shop-0 is stopped in Kafka Connect: resume it there.")),
        (["PAUSED", "FAILED"], ("failing", "why")),
    ],
)
def test_connectors_are_told_as_what_they_are(states: list[str], told: tuple[str, str | None]) -> None:
    known = {
        f"shop-{place}": Connector(state, "why" if state == "FAILED" else None) for place, state in enumerate(states)
    }
    assert standing(known) == told


def test_slots_of_two_pipelines_are_never_the_same() -> None:
    assert slot_name("shop") == "boathouse_shop"
    assert slot_name("shop-1a2b3c4d") == "boathouse_shop__1a2b3c4d"
    assert slot_name("shop_1a2b3c4d") == "boathouse_shop_1a2b3c4d"
    # Postgres takes no longer ones, and would cut a publication's.
    long = {slot_name(f"{'x' * length}-1a2b3c4d") for length in (43, 44, 45)}
    assert (len(long), max(map(len, long))) == (3, 63)


def test_a_connector_keeps_the_slot_that_an_earlier_version_gave_it() -> None:
    """With another one Debezium would look for a log that is gone."""
    assert slot_name(f"{'x' * 43}-1a2b3c4d") == f"boathouse_{'x' * 43}__1a2b3c4d"
    assert slot_name(f"{'x' * 44}-1a2b3c4d") == "boathouse__5db4ec72f505bd07d3cc8d69d8847e3b"


_SLUGS = st.lists(st.text("ab0", min_size=1, max_size=20), min_size=1, max_size=5).map("_".join)
_LONG = st.integers(40, 60).map(lambda length: "x" * length)


@given(st.one_of(_SLUGS, _LONG), st.one_of(_SLUGS, _LONG))
def test_whose_a_slot_is_can_be_told_when_its_connector_is_gone(slug: str, other: str) -> None:
    (connector,) = assigned(slug, ["public.a"], {})
    slot = slot_name(connector)
    assert re.fullmatch("[a-z0-9_]{1,63}", slot)
    assert _is_of(slug, slot)
    # Also one of which it is the beginning, and one that is called as its slots are.
    others = {other, f"{slug}_{other}", connector.replace("-", "_"), slot.replace("__", "_")} - {slug}
    assert [name for name in others if _is_of(name, slot)] == []
    assert slot_name(*assigned(slug, ["public.a"], {})) != slot


def _is_of(slug: str, slot: str) -> bool:
    """As they are looked for in Postgres."""
    first = slot_name(slug)
    return slot == first or slot.startswith(f"{first}__")


def test_a_connector_has_its_own_slot_and_the_pipelines_topics() -> None:
    spec = parse_any(
        "pipeline: shop\nsource: {kind: postgres, tables: [public.a, public.b]}\nbronze: {table: a.b}", "shop"
    )
    assert isinstance(spec, StreamSpec)
    access = PostgresAccess(host="h", port=1, database="d", user="u", password=SecretStr("p"))
    following = Following(["public.b"], 4711, {"shop.public.b": {"0": 12}})
    config = connector_config(spec, "shop-1a2b3c4d", following, access, "looked up")
    assert (config["slot.name"], config["publication.name"]) == ("boathouse_shop__1a2b3c4d",) * 2
    assert (config["topic.prefix"], config["table.include.list"]) == ("shop", "public.b")
    assert config["database.password"] == "looked up"
    assert config["boathouse.rows.from"] == "4711"
    assert _following(config) == following
    # What is held of rows is bounded by their bytes, and no longer by their number alone.
    assert {name: config[name] for name in _BOUNDED} == _BOUNDED
    older = connector_config(spec, "shop", Following(["public.a"], None), access, "looked up")
    assert not [name for name in older if name.startswith("boathouse")]
    assert _following(older) == Following(["public.a"], None)
    assert rows_from({"shop-1a2b3c4d": following, "shop": _following(older)}) == {"public.b": 4711}


@pytest.mark.parametrize(
    ("status", "body", "kind", "words"),
    [
        (404, "", Unavailable, "Kafka Connect is still starting."),
        (404, '{"message": "Connector x not found"}', InvalidInput, "Kafka Connect refused: Connector x not found"),
        (409, '{"message": "rebalancing"}', Unavailable, "Kafka Connect refused: rebalancing"),
        (500, "", Unavailable, "Kafka Connect refused: status 500"),
    ],
)
def test_what_connect_refuses_for_now_is_told_from_what_it_refuses_for_good(
    status: int, body: str, kind: type[BoathouseError], words: str
) -> None:
    refusal = _refusal(httpx.Response(status, text=body))
    assert (type(refusal), str(refusal)) == (kind, words)


TOO_LARGE = """org.apache.kafka.common.KafkaException: Cannot execute transactional method because we are in an error state
\tat org.apache.kafka.clients.producer.internals.TransactionManager.maybeFailWithError(TransactionManager.java:1189)
Caused by: org.apache.kafka.common.errors.RecordTooLargeException: The message is 69905840 bytes when serialized which is \
larger than 67108864, which is the value of the max.request.size configuration.
"""

# Shortened: what Debezium tells of where it was has 900 characters.
NO_LONGER_THERE = """io.debezium.DebeziumException: The connector is trying to read change stream starting at PostgresOffsetContext \
[sourceInfo=source_info, lastCommitLsn=LSN{0/D717460}], but this is no longer available on the server. Reconfigure the connector \
to use a snapshot mode when needed.
\tat io.debezium.connector.postgresql.PostgresConnectorTask.start(PostgresConnectorTask.java:205)
"""


@pytest.mark.parametrize(
    ("trace", "said"),
    [
        ("org.x.SomeException: it has ended\n\tat org.x.Some.thing", ["org.x.SomeException: it has ended"]),
        (
            TOO_LARGE,
            ["too large for Kafka", "The message is 69905840 bytes", "REPLICA IDENTITY DEFAULT", "pipeline remove"],
        ),
        (NO_LONGER_THERE, ["Postgres no longer has its log from where Debezium was", "pipeline remove"]),
    ],
)
def test_a_connector_that_failed_says_why_and_where_it_stays_failed_what_to_do(trace: str, said: list[str]) -> None:
    told = {"connector": {"state": "RUNNING"}, "tasks": [{"id": 0, "state": "FAILED", "trace": trace}]}

    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=told)

    access = ConnectAccess(uri="http://c", user="u", password=SecretStr("p"), postgres_password="looked up")
    with closing(Connectors(access)) as connectors:
        connectors._http = httpx.Client(base_url="http://c", transport=httpx.MockTransport(answer))
        found = connectors.status("shop")
    assert found.state == "FAILED"
    assert [words for words in said if words not in str(found.error)] == []
    assert "transactional" not in str(found.error)
    assert "OffsetContext" not in str(found.error)
