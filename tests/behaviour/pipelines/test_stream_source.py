"""A Postgres that cannot be followed is refused, with what has to be done."""

from collections.abc import Iterator, Sequence

import pytest
from pydantic import SecretStr

from boathouse.kit.access import PostgresAccess
from boathouse.kit.errors import InvalidInput, Unavailable
from boathouse.pipelines.stream import postgres
from tests.postgres_server import PostgresServer


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with PostgresServer() as started:
        yield started


def _access(server: PostgresServer, user: str = "boathouse") -> PostgresAccess:
    return PostgresAccess(
        host="127.0.0.1", port=server.port, database="postgres", user=user, password=SecretStr("any"), sslmode="prefer"
    )


def test_a_server_must_log_enough_and_let_its_user_follow(server: PostgresServer) -> None:
    with pytest.raises(InvalidInput, match="wal_level is replica") as refused:
        postgres.refuse_unready(_access(server))
    assert "wal_level = logical" in str(refused.value.hint)
    server.execute("ALTER SYSTEM SET wal_level = logical")
    server.execute("CREATE ROLE reader LOGIN")
    server.stop()
    server.start()
    postgres.refuse_unready(_access(server))
    with pytest.raises(InvalidInput, match="The user reader may not follow") as refused:
        postgres.refuse_unready(_access(server, "reader"))
    assert refused.value.hint == 'ALTER ROLE "reader" REPLICATION.'


def test_a_slot_and_its_publication_are_given_back(server: PostgresServer) -> None:
    server.execute("CREATE PUBLICATION boathouse_meters")
    server.execute("SELECT pg_create_logical_replication_slot('boathouse_meters', 'pgoutput')")
    server.execute("SELECT pg_create_logical_replication_slot('of_others', 'pgoutput')")
    # Twice: what is gone is gone.
    for _ in range(2):
        postgres.forget(_access(server), "boathouse_meters")
    for gone in ("DROP PUBLICATION boathouse_meters", "SELECT pg_drop_replication_slot('boathouse_meters')"):
        with pytest.raises(AssertionError, match="does not exist"):
            server.execute(gone)
    server.execute("SELECT pg_drop_replication_slot('of_others')")


def test_how_far_its_log_has_been_read_is_told_by_the_slot_that_is_furthest_behind(server: PostgresServer) -> None:
    access = _access(server)
    assert postgres.log_place(access, ["one", "two"]) is None
    server.execute("SELECT pg_create_logical_replication_slot('one', 'pgoutput')")
    server.execute("CREATE TABLE filler AS SELECT generate_series(1, 10000) n")
    server.execute("SELECT pg_create_logical_replication_slot('two', 'pgoutput')")
    one, two, both = (postgres.log_place(access, slots) for slots in (["one"], ["two"], ["one", "two"]))
    assert one is not None
    assert two is not None
    assert both is not None
    assert one.read < two.read <= two.written
    assert both.read == one.read
    for slot in ("one", "two"):
        server.execute(f"SELECT pg_drop_replication_slot('{slot}')")


def test_an_index_in_the_place_of_the_key_must_have_the_key(server: PostgresServer) -> None:
    server.execute("CREATE TABLE people (id int PRIMARY KEY, mail text NOT NULL, town text)")
    server.execute("CREATE UNIQUE INDEX by_mail ON people (mail)")
    server.execute("CREATE UNIQUE INDEX by_both ON people (mail, id)")
    server.execute("ALTER TABLE people REPLICA IDENTITY USING INDEX by_mail")
    with pytest.raises(InvalidInput, match="its key is not among them") as refused:
        _refuse(server, "public.people")
    assert "ALTER TABLE public.people REPLICA IDENTITY DEFAULT" in str(refused.value.hint)
    server.execute("ALTER TABLE people REPLICA IDENTITY USING INDEX by_both")
    _refuse(server, "public.people")


def test_what_an_index_includes_is_not_of_the_key(server: PostgresServer) -> None:
    server.execute("CREATE TABLE towns (id int, name text NOT NULL, mayor text, PRIMARY KEY (id) INCLUDE (name))")
    server.execute("CREATE UNIQUE INDEX by_name ON towns (name) INCLUDE (id)")
    found = postgres.ask(_access(server), ["public.towns"])["public.towns"]
    assert (found.key, list(found.columns)) == (("id",), ["id", "name", "mayor"])
    # Of a row that is gone, that index logs the name alone.
    server.execute("ALTER TABLE towns REPLICA IDENTITY USING INDEX by_name")
    with pytest.raises(InvalidInput, match="its key is not among them"):
        _refuse(server, "public.towns")


def test_what_postgres_computes_is_not_followed(server: PostgresServer) -> None:
    server.execute("CREATE TABLE bills (id int PRIMARY KEY, net int, gross int GENERATED ALWAYS AS (net * 2) STORED)")
    server.execute("INSERT INTO bills VALUES (1, 5)")
    found = postgres.ask(_access(server), ["public.bills"])["public.bills"]
    assert (list(found.columns), found.generated) == (["id", "net"], ("gross",))
    _refuse(server, "public.bills")
    server.execute("ALTER TABLE bills REPLICA IDENTITY FULL")
    with pytest.raises(InvalidInput, match="REPLICA IDENTITY FULL and a generated column, gross") as refused:
        _refuse(server, "public.bills")
    assert "ALTER TABLE public.bills REPLICA IDENTITY DEFAULT" in str(refused.value.hint)
    # As it would be, were it followed.
    server.execute("CREATE PUBLICATION of_bills FOR TABLE bills")
    with pytest.raises(AssertionError, match="cannot update table"):
        server.execute("UPDATE bills SET net = 6")
    server.execute("CREATE TABLE days_of (day text, n int GENERATED ALWAYS AS (length(day)) STORED PRIMARY KEY)")
    with pytest.raises(InvalidInput, match="has a column that Postgres computes and does not tell with a change: n"):
        _refuse(server, "public.days_of")


def test_a_deferrable_key_tells_no_row(server: PostgresServer) -> None:
    server.execute("CREATE TABLE seats (id int PRIMARY KEY DEFERRABLE INITIALLY IMMEDIATE, guest text)")
    server.execute("INSERT INTO seats VALUES (1, 'Ada')")
    with pytest.raises(InvalidInput, match="is DEFERRABLE") as refused:
        _refuse(server, "public.seats")
    assert "ALTER TABLE public.seats REPLICA IDENTITY FULL" in str(refused.value.hint)
    # As it would be, were it followed.
    server.execute("CREATE PUBLICATION of_seats FOR TABLE seats")
    with pytest.raises(AssertionError, match="does not have a replica identity"):
        server.execute("UPDATE seats SET guest = 'Eve'")
    server.execute("ALTER TABLE seats REPLICA IDENTITY FULL")
    _refuse(server, "public.seats")
    server.execute("UPDATE seats SET guest = 'Eve'")


def test_nor_does_that_of_a_partition_which_came_with_its_own(server: PostgresServer) -> None:
    server.execute("CREATE TABLE halls (id int PRIMARY KEY) PARTITION BY RANGE (id)")
    server.execute("CREATE TABLE halls_1 (id int PRIMARY KEY DEFERRABLE)")
    _refuse(server, "public.halls")
    server.execute("ALTER TABLE halls ATTACH PARTITION halls_1 FOR VALUES FROM (0) TO (10)")
    with pytest.raises(InvalidInput, match="is DEFERRABLE"):
        _refuse(server, "public.halls")
    for table in ("halls", "halls_1"):
        server.execute(f"ALTER TABLE {table} REPLICA IDENTITY FULL")
    _refuse(server, "public.halls")


def test_of_a_partitioned_table_each_partition_must_log_enough(server: PostgresServer) -> None:
    server.execute("CREATE TABLE days (id int, day date, PRIMARY KEY (id, day)) PARTITION BY RANGE (day)")
    server.execute("CREATE TABLE days_24 PARTITION OF days FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')")
    server.execute("ALTER TABLE days REPLICA IDENTITY FULL")
    found = postgres.ask(_access(server), ["public.days"])["public.days"]
    assert (found.key, found.identity) == (("id", "day"), "d")
    with pytest.raises(InvalidInput, match="must know what a changed row was before"):
        _refuse(server, "public.days", whole=["public.days"])
    server.execute("ALTER TABLE days_24 REPLICA IDENTITY FULL")
    _refuse(server, "public.days", whole=["public.days"])
    server.execute("ALTER TABLE days_24 REPLICA IDENTITY NOTHING")
    with pytest.raises(InvalidInput, match="logs nothing of the rows"):
        _refuse(server, "public.days")


def _refuse(server: PostgresServer, table: str, *, whole: Sequence[str] = ()) -> None:
    postgres.refuse_unfollowable(postgres.ask(_access(server), [table]), [table], whole=whole)


def test_one_that_is_not_there_may_come_back(server: PostgresServer) -> None:
    server.stop()
    try:
        with pytest.raises(Unavailable, match="does not answer"):
            postgres.refuse_unready(_access(server))
    finally:
        server.start()
