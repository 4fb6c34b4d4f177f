"""Backups: a cut at one moment, whole or refused, brought back into any form of the store."""

import asyncio
import gzip
import stat
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import httpx
import pytest

from boathouse.catalog.backup import WholeStore, export_store, import_backup
from boathouse.catalog.backup.reading import entries_of
from boathouse.catalog.backup.unfinished import mark, mark_in
from boathouse.catalog.server import ServerOptions, open_app
from boathouse.catalog.store import Delete, Empty, Entry, Put, Store, open_store
from boathouse.catalog.store.sqlite import SqliteStore
from boathouse.kit.errors import Conflict, InvalidInput
from boathouse.kit.ids import new_uuid
from tests.behaviour.catalog.http_catalog import HttpCatalog, change, set_properties
from tests.etcd_cluster import EtcdCluster

OpenStore = Callable[[], Store]


async def everything(store: Store) -> dict[str, bytes]:
    async with store.cut() as cut:
        return {entry.key: entry.value for entry in await cut.list("", limit=100_000)}


async def fill(store: Store, count: int = 300) -> None:
    """More than etcd takes in one transaction, and values that are no text."""
    for first in range(0, count, 100):
        await store.commit(
            [], [Put(f"table/lake/ns\x1et{number:04}", b'{"n":1}') for number in range(first, first + 100)]
        )
    await store.commit([], [Put("namespace/lake/1/n\u00fc", b"{}"), Put("odd", b"\xff\x00\n")])


@pytest.fixture
def new_store(etcd: EtcdCluster, tmp_path: Path) -> Callable[[str], Store]:
    def opened(form: str) -> Store:
        if form == "sqlite":
            return SqliteStore(tmp_path / f"{new_uuid()}.db")
        return open_store(etcd.address(new_uuid()))

    return opened


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize(("source", "target"), [("sqlite", "etcd"), ("etcd", "sqlite"), ("etcd", "etcd")])
async def test_a_store_moves_to_another_form_and_is_the_same(
    new_store: Callable[[str], Store], tmp_path: Path, source: str, target: str, ending: str
) -> None:
    old, new = new_store(source), new_store(target)
    await fill(old)
    file = tmp_path / f"backup{ending}"
    exported = await export_store(old, file)
    imported = await import_backup(new, file)
    assert exported == imported
    assert exported.counts == {"namespace": 1, "odd": 1, "table": 300}
    assert await everything(new) == await everything(old)
    await old.close()
    await new.close()


async def test_a_transaction_is_never_half_in_a_backup(lake: HttpCatalog, tmp_path: Path) -> None:
    await lake.namespace("ns")
    names = ["a", "b", "c"]
    for name in names:
        await lake.table(name)
    stop = asyncio.Event()

    async def keep_committing() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            changes = [change(name, set_properties(version=str(number))) for name in names]
            await lake.ok("POST", "/transactions/commit", {"table-changes": changes})

    writer = asyncio.create_task(keep_committing())
    seen: set[str] = set()
    for round_ in range(12):
        await asyncio.sleep(0.03)
        file = tmp_path / f"backup-{round_}"
        await export_store(lake.store, file)
        copy = HttpCatalog(tmp_path, SqliteStore(tmp_path / f"copy-{round_}.db"))
        await import_backup(copy.store, file)
        versions = {(await copy.load(name))["metadata"]["properties"].get("version") for name in names}
        assert len(versions) == 1, "a part of a transaction"
        seen |= versions
        await copy.close()
    stop.set()
    await writer
    assert len(seen) > 1, "nothing was written meanwhile"


async def test_a_restored_catalog_knows_what_it_was_asked_before(lake: HttpCatalog, tmp_path: Path) -> None:
    await lake.namespace("ns")
    await lake.table()
    key = {"Idempotency-Key": "7f3b0c9e-55a1-7000-8000-0123456789ab"}
    first = await lake.set_property("a", "1", headers=key)
    await export_store(lake.store, tmp_path / "backup")
    copy = HttpCatalog(tmp_path, SqliteStore(tmp_path / "copy.db"))
    await import_backup(copy.store, tmp_path / "backup")
    assert (await copy.set_property("a", "1", headers=key)).json() == first.json()
    await copy.close()


async def test_a_backup_is_for_its_owner_alone_and_never_overwritten(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    await export_store(store, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(Conflict, match="already"):
        await export_store(store, file)
    assert backups_in(tmp_path) == ["backup"]


async def test_a_store_that_is_not_empty_is_left_alone(store: Store, tmp_path: Path) -> None:
    await fill(store)
    await export_store(store, tmp_path / "backup")
    await store.commit([], [Delete("odd")])
    before = await everything(store)
    with pytest.raises(Conflict, match="not empty"):
        await import_backup(store, tmp_path / "backup")
    assert await everything(store) == before


def backups_in(directory: Path) -> list[str]:
    """Also those that were begun and not finished."""
    return [path.name for path in directory.iterdir() if "backup" in path.name]


def cut_short(content: bytes) -> bytes:
    return content[: len(content) // 2]


def without_a_line(content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    return b"".join(lines[:5] + lines[6:])


def changed(content: bytes) -> bytes:
    return content.replace(b"t0007", b"t7000", 1)


def of_the_future(content: bytes) -> bytes:
    return content.replace(b'"version":1', b'"version":99', 1)


def emptied(_content: bytes) -> bytes:
    return b""


def of_other_json(_content: bytes) -> bytes:
    return b"[]\n" * 3


def of_no_json(_content: bytes) -> bytes:
    return b"\xff"


@pytest.mark.parametrize(
    "damage",
    [cut_short, without_a_line, changed, of_the_future, emptied, of_other_json, of_no_json],
)
@pytest.mark.parametrize("ending", ["", ".gz"])
async def test_a_damaged_backup_is_refused_before_anything_is_written(
    tmp_path: Path, ending: str, damage: Callable[[bytes], bytes]
) -> None:
    source = SqliteStore(tmp_path / "source.db")
    await fill(source)
    file = tmp_path / f"backup{ending}"
    await export_store(source, file)
    content = gzip.decompress(file.read_bytes()) if ending else file.read_bytes()
    file.write_bytes(gzip.compress(damage(content)) if ending else damage(content))
    target = SqliteStore(tmp_path / "target.db")
    with pytest.raises(InvalidInput, match="backup"):
        await import_backup(target, file)
    assert await everything(target) == {}
    await source.close()
    await target.close()


class Killed(Exception):  # noqa: N818 - it is what happened
    pass


async def test_an_import_that_was_killed_goes_on(new_store: Callable[[str], Store], tmp_path: Path) -> None:
    source, target = new_store("sqlite"), new_store("etcd")
    await fill(source)
    await export_store(source, tmp_path / "backup")

    def killed(_done: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        await import_backup(target, tmp_path / "backup", killed)
    assert await mark_in(target) is not None
    with pytest.raises(Conflict, match="part of a backup"):
        await export_store(target, tmp_path / "half")
    await import_backup(target, tmp_path / "backup")
    assert await everything(target) == await everything(source)
    await source.close()
    await target.close()


async def test_a_resumed_import_overwrites_nothing_that_was_written_since(
    new_store: Callable[[str], Store], tmp_path: Path
) -> None:
    source, target = new_store("sqlite"), new_store("etcd")
    await fill(source)
    await export_store(source, tmp_path / "backup")

    def killed(_done: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        await import_backup(target, tmp_path / "backup", killed)
    for newer in (Put("table/lake/ns\x1et0007", b'{"n":2}'), Put("table/lake/ns\x1et0299", b'{"n":3}')):
        before = await target.read(newer.key)
        await target.commit([], [newer])
        with pytest.raises(Conflict, match="newer"):
            await import_backup(target, tmp_path / "backup")
        assert (await everything(target))[newer.key] == newer.value
        assert await mark_in(target) is not None
        await target.commit([], [Put(newer.key, before.value) if before else Delete(newer.key)])
    await import_backup(target, tmp_path / "backup")
    assert await everything(target) == await everything(source)
    await source.close()
    await target.close()


class TestServersOnAnUnfinishedImport:
    @pytest.fixture(params=["sqlite", "etcd"])
    def address(self, request: pytest.FixtureRequest, etcd: EtcdCluster, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path}/served.db" if request.param == "sqlite" else etcd.address(new_uuid())

    @pytest.fixture
    async def store(self, address: str) -> AsyncGenerator[Store]:
        store = open_store(address)
        yield store
        await store.close()

    @pytest.fixture
    async def http(self, address: str, tmp_path: Path) -> AsyncGenerator[httpx.AsyncClient]:
        """A server as it is started, so with all that stands between it and its store."""
        served = open_app(ServerOptions("", 0, address, [f"lake=file://{tmp_path}/lake"], "none"), {})
        transport = httpx.ASGITransport(served)
        async with httpx.AsyncClient(transport=transport, base_url="http://catalog/v1/lake") as http:
            yield http
        await served.state.store.close()

    async def test_they_take_no_writes_until_it_is_finished(
        self, http: httpx.AsyncClient, store: Store, tmp_path: Path
    ) -> None:
        new = {"namespace": ["ns"]}
        await store.commit([Empty("")], [mark("0" * 64)])
        refused = await http.post("/namespaces", json=new)
        assert refused.status_code == 503
        assert "import of a backup is not finished" in refused.json()["error"]["message"]
        assert "boathouse catalog import" in refused.json()["error"]["message"]
        assert (await everything(store)).keys() == {"import/unfinished"}
        await store.commit([], [Delete("import/unfinished")])
        assert (await http.post("/namespaces", json=new)).status_code == 200
        table = {"name": "t", "schema": {"type": "struct", "fields": []}}
        await store.commit([], [mark("0" * 64)])
        assert (await http.post("/namespaces/ns/tables", json=table)).status_code == 503
        assert [path for path in (tmp_path / "lake").rglob("*") if path.is_file()] == []
        assert (await http.get("/namespaces")).status_code == 200

    async def test_a_commit_that_others_forestalled_is_still_only_that(
        self, http: httpx.AsyncClient, store: Store
    ) -> None:
        assert (await http.post("/namespaces", json={"namespace": ["ns"]})).status_code == 200
        assert (await http.post("/namespaces", json={"namespace": ["ns"]})).status_code == 409
        assert not await WholeStore(store).commit([Empty("")], [Put("a", b"b")])


async def test_another_backup_is_not_mixed_into_an_unfinished_import(store: Store, tmp_path: Path) -> None:
    await export_store(store, tmp_path / "backup")
    await store.commit([], [mark("0" * 64)])
    with pytest.raises(Conflict, match="part of another backup"):
        await import_backup(store, tmp_path / "backup")


async def test_an_import_that_was_overtaken_writes_nothing_more(
    new_store: Callable[[str], Store], tmp_path: Path
) -> None:
    source, target = new_store("sqlite"), new_store("etcd")
    await fill(source)
    await export_store(source, tmp_path / "backup")
    loop = asyncio.get_running_loop()
    overtaking: list[asyncio.Task[object]] = []

    def overtaken(_done: int) -> None:
        if not overtaking:
            overtaking.append(loop.create_task(import_backup(target, tmp_path / "backup")))

    with pytest.raises(Conflict, match="took over"):
        await import_backup(target, tmp_path / "backup", overtaken)
    await overtaking[0]
    assert await everything(target) == await everything(source)
    await source.close()
    await target.close()


async def test_people_can_read_a_backup(store: Store, tmp_path: Path) -> None:
    await fill(store, 100)
    await export_store(store, tmp_path / "backup")
    header, first, *_, last = (tmp_path / "backup").read_text().splitlines()
    assert '"format":"boathouse-catalog"' in header
    assert first == '{"key":"namespace/lake/1/nü","value":"{}"}'
    assert '"sha256"' in last
    assert Entry("odd", b"\xff\x00\n", 0).value in {one.value for one in entries_of(tmp_path / "backup")}
