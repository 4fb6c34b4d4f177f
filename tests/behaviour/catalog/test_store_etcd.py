"""What only the etcd form has to show: certificates, users, members that are away, and answers that are lost."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest

from boathouse.catalog.errors import CommitStateUnknown, TooLarge
from boathouse.catalog.store import Absent, Delete, Put, Store, open_store
from boathouse.catalog.store.etcd import EtcdAddress, EtcdStore
from boathouse.catalog.store.etcd.address import PASSWORD_VARIABLE
from boathouse.catalog.store.etcd.connection import TXN, Connection, Lost
from boathouse.catalog.store.etcd.messages_pb2 import TxnRequest
from boathouse.catalog.store.etcd.slots import Slots
from boathouse.kit.errors import ConfigurationError, Unavailable
from tests.etcd_cluster import EtcdCluster, ServerTls

PASSWORD = {PASSWORD_VARIABLE: "hush"}


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EtcdCluster]:
    with EtcdCluster(tmp_path_factory.mktemp("three"), members=3) as cluster:
        yield cluster


@pytest.fixture
async def replicated(three: EtcdCluster, request: pytest.FixtureRequest) -> AsyncGenerator[Store]:
    store = open_store(three.address(request.node.name))
    yield store
    await store.close()


async def test_writes_go_on_after_the_leaders_death(three: EtcdCluster, replicated: Store) -> None:
    assert await replicated.commit([], [Put("before", b"")])
    leader = three.leader()
    leader.kill()
    assert await replicated.commit([Absent("after")], [Put("after", b"")])
    assert (await replicated.health()).leader_changes >= 1
    assert len((await replicated.health()).reachable) == 2
    leader.restart()
    three.whole()


async def test_a_leaders_death_under_writes_loses_nothing_and_doubles_nothing(
    three: EtcdCluster, replicated: Store
) -> None:
    applied: dict[str, int] = {}

    async def append(writer: int) -> None:
        """A commit carried out twice would find its key taken and be refused."""
        for number in range(60):
            assert await replicated.commit(
                [Absent(f"log/{writer}/{number:03}")], [Put(f"log/{writer}/{number:03}", b"")]
            )
            applied[f"log/{writer}/{number:03}"] = number

    async def kill() -> None:
        await asyncio.sleep(0.05)
        leader = three.leader()
        leader.kill()
        await asyncio.sleep(3)
        leader.restart()

    await asyncio.gather(*(append(writer) for writer in range(8)), kill())
    found = await replicated.list("log/", limit=1000)
    assert [entry.key for entry in found] == sorted(applied)
    assert len(found) == 8 * 60
    three.whole()


async def test_a_paused_leader_is_bridged(three: EtcdCluster, replicated: Store) -> None:
    leader = three.leader()
    leader.pause()
    try:
        assert await replicated.commit([Absent("k")], [Put("k", b"")])
        assert await replicated.read("k") is not None
    finally:
        leader.resume()
        three.whole()


async def test_a_member_that_is_away_is_not_noticed(three: EtcdCluster, replicated: Store) -> None:
    follower = three.followers()[0]
    follower.kill()
    for number in range(10):
        assert await replicated.commit([], [Put(f"k/{number}", b"")])
    assert len(await replicated.list("k/", limit=100)) == 10
    follower.restart()
    three.whole()


async def test_without_a_connection_nothing_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boathouse.catalog.store.etcd.connection.BRIDGE_SECONDS", 0.5)
    store = open_store("etcd://127.0.0.1:1,127.0.0.1:2")
    with pytest.raises(Unavailable, match="no answer"):
        await store.commit([], [Put("k", b"")])
    health = await store.health()
    assert (health.reachable, health.leader) == ((), None)
    await store.close()


class LossyConnection(Connection):
    """Loses the answers to the next `count` transactions, or the transactions themselves."""

    def __init__(self, address: str, *, count: int, carried_out: bool) -> None:
        super().__init__(EtcdAddress.parse(address, {}))
        self.count = count
        self.carried_out = carried_out

    async def attempt(self, method: Any, question: Any) -> Any:
        if method is not TXN or self.count == 0:
            return await super().attempt(method, question)
        self.count -= 1
        if self.carried_out:
            await super().attempt(method, question)
        raise Lost("the network took it")


@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
async def test_a_commit_whose_answer_is_lost_happens_once(etcd: EtcdCluster, count: int, *, carried_out: bool) -> None:
    address = etcd.address(f"lossy-{count}-{carried_out}")
    store = EtcdStore(EtcdAddress.parse(address, {}))
    assert await store.commit([], [Put("warm", b"")])
    store._connection = LossyConnection(address, count=count, carried_out=carried_out)
    assert await store.commit([Absent("k")], [Put("k", b"")])
    assert not await store.commit([Absent("k")], [Put("k", b"again")])
    assert await store.commit([Absent("l")], [Put("l", b"")])
    await store.close()


async def test_a_lost_answer_that_cannot_be_asked_for_is_unknown(
    etcd: EtcdCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boathouse.catalog.store.etcd.connection.BRIDGE_SECONDS", 0.2)
    address = etcd.address("silent")
    store = EtcdStore(EtcdAddress.parse(address, {}))
    store._connection = LossyConnection(address, count=1000, carried_out=False)
    with pytest.raises(CommitStateUnknown):
        await store.commit([], [Put("k", b"")])
    store._connection = Connection(EtcdAddress.parse(address, {}))
    assert await store.commit([], [Put("k", b"")])
    await store.close()


class DelayingConnection(Connection):
    """Holds the first transaction back, and may lose the answers to those that ask what became of it."""

    def __init__(self, address: str, *, answering: bool) -> None:
        super().__init__(EtcdAddress.parse(address, {}))
        self.answering = answering
        self.held: TxnRequest | None = None

    async def attempt(self, method: Any, question: Any) -> Any:
        if method is TXN and self.held is None:
            self.held = question
            raise Lost("it is still on its way")
        answer = await super().attempt(method, question)
        if method is TXN and not self.answering:
            raise Lost("the network took the answer")
        return answer

    async def deliver(self) -> bool:
        assert self.held is not None
        return (await super().attempt(TXN, self.held)).succeeded


@pytest.mark.parametrize("answering", [True, False])
async def test_closing_does_not_let_happen_what_was_kept_from_happening(
    etcd: EtcdCluster, monkeypatch: pytest.MonkeyPatch, *, answering: bool
) -> None:
    """A request may be on its way for longer than the server that sent it lives."""
    monkeypatch.setattr("boathouse.catalog.store.etcd.connection.BRIDGE_SECONDS", 0.2)
    address = etcd.address(f"delayed-{answering}")
    store, other = EtcdStore(EtcdAddress.parse(address, {})), open_store(address)
    late = store._connection = DelayingConnection(address, answering=answering)
    if answering:
        assert await store.commit([], [Put("k", b"")])
    else:
        with pytest.raises(CommitStateUnknown):
            await store.commit([], [Put("k", b"")])
    store._connection = Connection(EtcdAddress.parse(address, {}))
    await store.close()
    await other.commit([], [Delete("k")])
    assert not await late.deliver()
    assert await other.read("k") is None
    await late.close()
    await other.close()


class RepeatingConnection(Connection):
    """Sends every transaction twice and gives the second answer, as a proxy between may that lost the first."""

    async def attempt(self, method: Any, question: Any) -> Any:
        if method is TXN:
            await super().attempt(method, question)
        return await super().attempt(method, question)


async def test_a_commit_that_arrives_twice_happens_once_and_is_known_to_have(etcd: EtcdCluster) -> None:
    address = etcd.address("repeated")
    store = EtcdStore(EtcdAddress.parse(address, {}))
    store._connection = RepeatingConnection(EtcdAddress.parse(address, {}))
    for number in range(3):
        assert await store.commit([Absent(f"k/{number}")], [Put(f"k/{number}", b"")])
        assert not await store.commit([Absent(f"k/{number}")], [Put(f"k/{number}", b"again")])
    await store.close()


async def test_closing_leaves_nothing_behind_but_the_entries(etcd: EtcdCluster) -> None:
    store = open_store(etcd.address("tidy"))
    await asyncio.gather(*(store.commit([], [Put(f"k/{number}", b"")]) for number in range(20)))
    await store.close()
    # From tidy/commit/ to tidy/commit0, as the gateway takes keys.
    found = etcd.post(etcd.members[0], "kv/range", {"key": "dGlkeS9jb21taXQv", "range_end": "dGlkeS9jb21taXQw"})
    assert "kvs" not in found


async def test_a_server_whose_slot_was_swept_commits_all_the_same(
    etcd: EtcdCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, other = open_store(etcd.address("swept")), open_store(etcd.address("swept"))
    assert await slow.commit([], [Put("k", b"1")])
    monkeypatch.setattr("boathouse.catalog.store.etcd.slots._ABANDONED_SECONDS", -10)
    slots, connection = Slots(b"swept/commit/"), other._connection  # pyright: ignore[reportAttributeAccessIssue]
    await slots.sweep(connection)  # the other store may have been faster with its own
    assert [slot async for slot in slots._abandoned(connection)] == []
    assert await slow.commit([Absent("other")], [Put("other", b"2")])
    await asyncio.gather(slow.close(), other.close())


async def test_what_etcd_would_refuse_for_its_size_is_not_sent(etcd: EtcdCluster) -> None:
    store = open_store(etcd.address("large"))
    assert await store.commit([], [Put(f"k/{number}", b"") for number in range(127)])
    with pytest.raises(TooLarge, match="127 at once"):
        await store.commit([], [Put(f"k/{number}", b"") for number in range(128)])
    assert await store.commit([], [Put("k", bytes(1_500_000))])
    with pytest.raises(TooLarge, match="bytes"):
        await store.commit([], [Put("k", bytes(1_600_000))])
    await store.close()


async def test_it_speaks_tls_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    tls = ServerTls(tmp_path / "tls")
    with EtcdCluster(tmp_path / "etcd", tls=tls) as cluster:
        store = open_store(f"{cluster.address()}?ca={tls.ca}&cert={tls.cert}&key={tls.key}")
        assert await store.commit([], [Put("k", b"v")])
        await store.close()
        stranger = open_store(f"{cluster.address()}?ca={tls.ca}")
        with pytest.raises(Unavailable):
            await stranger.read("k")
        await stranger.close()


async def test_a_token_that_expired_is_renewed(tmp_path: Path) -> None:
    with EtcdCluster(tmp_path, "--auth-token-ttl=1") as cluster:
        with_users(cluster)
        store = open_store(f"{cluster.address()}?user=root", PASSWORD)
        assert await store.commit([], [Put("k", b"1")])
        await asyncio.sleep(2.5)
        assert await store.commit([], [Put("k", b"2")])
        await store.close()
        for address, environment in (
            (cluster.address(), {}),
            (f"{cluster.address()}?user=root", {PASSWORD_VARIABLE: "x"}),
        ):
            refused = open_store(address, environment)
            with pytest.raises(Unavailable, match="etcd refuses"):
                await refused.read("k")
            await refused.close()


def with_users(cluster: EtcdCluster) -> None:
    member = cluster.members[0]
    cluster.post(member, "auth/user/add", {"name": "root", "password": "hush"})
    cluster.post(member, "auth/role/add", {"name": "root"})
    cluster.post(member, "auth/user/grant", {"user": "root", "role": "root"})
    cluster.post(member, "auth/enable", {})


@pytest.mark.parametrize(
    "address",
    [
        "etcd://",
        "etcd://localhost",
        "etcd://user:secret@localhost:2379",
        "etcd://h:1,",
        "etcd://h:1?colour=red",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_and_no_password_shown(address: str) -> None:
    with pytest.raises(ConfigurationError, match="not the address of a store") as refused:
        open_store(address, {})
    assert "secret" not in str(refused.value)


def test_an_address_names_files_and_never_the_password(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("hush\n")
    address = EtcdAddress.parse(f"etcds://a:1,[::1]:2/root?user=me&password-file={tmp_path}/password", {})
    assert address.endpoints == ("a:1", "[::1]:2")
    assert address.root == "root"
    assert address.credentials is not None
    assert address.credentials.password == "hush"
    assert "hush" not in repr(address)


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("etcd://h:1?user=me", "no password"),
        ("etcds://h:1?ca=/no/such", "cannot be read"),
        ("etcd://h:1?ca=/dev/null", "plain"),
        ("etcds://h:1?cert=/dev/null", "one of cert and key"),
    ],
)
def test_what_an_address_lacks_is_said(address: str, complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        open_store(address, {})
