"""Clients that commit and read, and write down what they were told.

Every commit sets the property `commit` to its own name, so that a table's versions say by whom they were made. A client
whose attempt comes to nothing tries again at another server. Under the same idempotency key it may send anything again;
under another only what its own requirement keeps from happening twice.
"""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from boathouse.kit.ids import new_uuid
from tests.behaviour.catalog.http_catalog import append, change, commit, main_at, set_properties, table_path
from tests.chaos.catalog.history import Commit, Outcome, Read
from tests.integration.catalog_process import TOKEN

PREFIX = "/v1/lake"
MARK = "commit"
_ATTEMPTS = 12


@dataclass
class Records:
    commits: list[Commit] = field(default_factory=list[Commit])
    reads: list[Read] = field(default_factory=list[Read])


@dataclass(frozen=True)
class Told:
    """What one attempt came to. Without a status nobody answered."""

    status: int | None
    body: Any
    words: str

    @property
    def applied(self) -> bool:
        return self.status in {200, 204}

    @property
    def refused(self) -> bool:
        """Told that nothing was done: now, or with 503 not this time."""
        return self.status is not None and (400 <= self.status < 500 or self.status == 503)

    @property
    def final(self) -> bool:
        """Sending the same again will be answered the same. Losing races is not the end."""
        return self.refused and self.status != 503 and "Retry later" not in self.words


class Client:
    def __init__(self, name: str, servers: Sequence[str], tables: Sequence[str], seed: int, records: Records) -> None:
        self.name = name
        self._tables = tables
        self._records = records
        self._dice = random.Random(f"{seed} {name}")
        self._made = 0
        headers = {"Authorization": f"Bearer {TOKEN}"}
        self._servers = [
            httpx.AsyncClient(base_url=server + PREFIX, headers=headers, trust_env=False) for server in servers
        ]

    async def close(self) -> None:
        for server in self._servers:
            await server.aclose()

    async def write_until(self, over: Callable[[], bool]) -> None:
        kinds = (self.set_property, self.append, self.transact, self.read)
        while not over():
            await self._dice.choices(kinds, weights=(5, 2, 2, 1))[0]()

    async def read_until(self, over: Callable[[], bool]) -> None:
        while not over():
            await self.read()
            await asyncio.sleep(self._dice.uniform(0, 0.05))

    async def read(self) -> Any:
        """The metadata of some table, or None if nobody would say."""
        table, start = self._dice.choice(self._tables), time.monotonic()
        told = await self._send("GET", table_path(table))
        if not told.applied:
            await asyncio.sleep(self._dice.uniform(0, 0.2))
            return None
        self._records.reads.append(Read(table, start, time.monotonic(), told.body["metadata-location"], self.name))
        return table, told.body["metadata"]

    async def set_property(self) -> Outcome:
        """Anybody's race may be lost to it, and it has no requirement: only its key keeps it from happening twice."""
        table, name, key = self._dice.choice(self._tables), self._name(), new_uuid()
        body = commit(set_properties(**{MARK: name}))
        return await self._settle(name, [table], table_path(table), body, lambda: key)

    async def append(self) -> None:
        """As engines do it: on the version that was read, or not at all. A new key each time, or none."""
        found = await self.read()
        if found is None:
            return
        table, metadata = found
        parent = metadata["current-snapshot-id"]
        parent = None if parent in {None, -1} else parent
        updates = append(self._dice.getrandbits(50), metadata["last-sequence-number"] + 1, parent)
        name = self._name()
        body = commit(*updates, set_properties(**{MARK: name}), requirements=[main_at(parent)])
        key = self._dice.choice((new_uuid, lambda: None))
        await self._settle(name, [table], table_path(table), body, key)

    async def transact(self) -> None:
        """One in four has a requirement on its last table that never holds."""
        tables = self._dice.sample(self._tables, self._dice.randint(2, len(self._tables)))
        name, key = self._name(), new_uuid()
        changes = [change(table, set_properties(**{MARK: name})) for table in tables]
        if self._dice.random() < 0.25:
            changes[-1]["requirements"] = [main_at(1)]
        await self._settle(name, tables, "/transactions/commit", {"table-changes": changes}, lambda: key)

    async def _settle(
        self, name: str, tables: Sequence[str], path: str, body: Any, key: Callable[[], str | None]
    ) -> Outcome:
        """Send it until it is clear what became of it, or until patience ends."""
        start, told = time.monotonic(), list[Told]()
        patience = self._dice.choice((1, 2, _ATTEMPTS, _ATTEMPTS))
        used = set[str | None]()
        while len(told) < patience and not (told and (told[-1].applied or told[-1].final)):
            if told:
                await asyncio.sleep(self._dice.uniform(0.02, 0.6))
            used.add(now := key())
            told.append(await self._send("POST", path, body, now))
        outcome = _outcome(told, one_key=len(used) == 1 and None not in used)
        location = told[-1].body.get("metadata-location") if told[-1].applied and told[-1].body else None
        words = [one.words for one in told]
        self._records.commits.append(Commit(name, tables, start, time.monotonic(), outcome, location, words))
        return outcome

    async def _send(self, method: str, path: str, body: Any = None, key: str | None = None) -> Told:
        place = self._dice.randrange(len(self._servers))
        headers = {"Idempotency-Key": key} if key else {}
        # Some leave before the server has given up, some wait to hear that it has.
        patience = self._dice.choice((1, 4, 20))
        try:
            answer = await self._servers[place].request(method, path, json=body, headers=headers, timeout=patience)
        except httpx.TransportError as error:
            return Told(None, None, f"server {place}: {type(error).__name__}")
        said = answer.json() if answer.content else None
        words = f" {said['error']['type']}: {said['error']['message']}" if answer.is_error and said else ""
        return Told(answer.status_code, said, f"server {place}: {answer.status_code}{words}")

    def _name(self) -> str:
        self._made += 1
        return f"{self.name}-{self._made}"


def _outcome(told: Sequence[Told], *, one_key: bool) -> Outcome:
    if told[-1].applied:
        return Outcome.APPLIED
    # A refusal for good is kept under the key, so nothing that was sent under it will ever happen.
    if all(one.refused for one in told) or (one_key and told[-1].final):
        return Outcome.REFUSED
    return Outcome.UNKNOWN
