"""What a session on Trino is: headers, sent with each statement and changed by what is answered.

The server keeps nothing of it, so whoever asks has to: `USE`, `SET SESSION`, `PREPARE` and transactions end up here.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

_NO_TRANSACTION = "NONE"
_ALWAYS = {
    # Without it times end at milliseconds, whatever their type says.
    "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
    # As on Spark.
    "X-Trino-Time-Zone": "UTC",
}
# Answered with this name, sent with that one from then on.
_SET = {
    "X-Trino-Set-Catalog": "X-Trino-Catalog",
    "X-Trino-Set-Schema": "X-Trino-Schema",
    "X-Trino-Set-Path": "X-Trino-Path",
}
# Of these there are several, each as name=value.
_ADDED = {
    "X-Trino-Set-Session": "X-Trino-Session",
    "X-Trino-Set-Role": "X-Trino-Role",
    "X-Trino-Added-Prepare": "X-Trino-Prepared-Statement",
}
_TAKEN = {"X-Trino-Clear-Session": "X-Trino-Session", "X-Trino-Deallocated-Prepare": "X-Trino-Prepared-Statement"}


class Answered(Protocol):
    """An answer's headers, of which some stand there more than once."""

    def get_list(self, key: str) -> list[str]: ...


class Session:
    def __init__(self, *, user: str, source: str, catalog: str | None) -> None:
        self._plain = {"X-Trino-User": user, "X-Trino-Source": source}
        if catalog is not None:
            self._plain["X-Trino-Catalog"] = catalog
        self._pairs: dict[str, dict[str, str]] = {name: {} for name in _ADDED.values()}
        self._transaction = _NO_TRANSACTION

    @property
    def is_in_transaction(self) -> bool:
        return self._transaction != _NO_TRANSACTION

    def headers(self) -> dict[str, str]:
        pairs = {name: _joined(given) for name, given in self._pairs.items() if given}
        return {**_ALWAYS, **self._plain, **pairs, "X-Trino-Transaction-Id": self._transaction}

    def heed(self, answered: Answered) -> None:
        """Take over what a statement changed."""
        for told, name in _SET.items():
            for value in answered.get_list(told):
                self._plain[name] = value
        for told, name in _ADDED.items():
            # Kept as it came, for so it is sent.
            self._pairs[name].update(_parted(answered.get_list(told)))
        for told, name in _TAKEN.items():
            for value in answered.get_list(told):
                self._pairs[name].pop(value, None)
        for transaction in answered.get_list("X-Trino-Started-Transaction-Id"):
            self._transaction = transaction
        if answered.get_list("X-Trino-Clear-Transaction-Id"):
            self._transaction = _NO_TRANSACTION


def _joined(pairs: Mapping[str, str]) -> str:
    return ",".join(f"{name}={value}" for name, value in pairs.items())


def _parted(given: Iterable[str]) -> dict[str, str]:
    return {name.strip(): value for name, _, value in (one.partition("=") for one in given)}
