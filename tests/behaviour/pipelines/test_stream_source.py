"""A Postgres that cannot be followed is refused, with what has to be done."""

from collections.abc import Iterator

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


def test_one_that_is_not_there_may_come_back(server: PostgresServer) -> None:
    server.stop()
    try:
        with pytest.raises(Unavailable, match="does not answer"):
            postgres.refuse_unready(_access(server))
    finally:
        server.start()
