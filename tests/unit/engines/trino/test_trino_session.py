"""What a statement changes for those after it."""

import httpx

from boathouse.engines.trino.session import Session


def test_what_is_answered_is_sent_from_then_on() -> None:
    session = Session(user="ann", source="test", catalog="lake")
    session.heed(
        httpx.Headers(
            [
                ("x-trino-set-catalog", "memory"),
                ("x-trino-set-schema", "default"),
                ("x-trino-set-session", "a=1%2C2"),
                ("x-trino-set-session", "b=3"),
                ("x-trino-added-prepare", "mine=SELECT+%3F"),
                ("x-trino-started-transaction-id", "t1"),
            ]
        )
    )
    sent = session.headers()
    assert (sent["X-Trino-User"], sent["X-Trino-Catalog"], sent["X-Trino-Schema"]) == ("ann", "memory", "default")
    assert (sent["X-Trino-Session"], sent["X-Trino-Prepared-Statement"]) == ("a=1%2C2,b=3", "mine=SELECT+%3F")
    assert (session.is_in_transaction, sent["X-Trino-Transaction-Id"]) == (True, "t1")
    session.heed(
        httpx.Headers(
            {
                "x-trino-clear-session": "a",
                "x-trino-deallocated-prepare": "mine",
                "x-trino-clear-transaction-id": "true",
            }
        )
    )
    sent = session.headers()
    assert (sent["X-Trino-Session"], "X-Trino-Prepared-Statement" in sent) == ("b=3", False)
    assert (session.is_in_transaction, sent["X-Trino-Transaction-Id"]) == (False, "NONE")
