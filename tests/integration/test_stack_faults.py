"""The real services, killed, interrupted and moved: the lakehouse comes back, and its data with it."""

import json
import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import obstore
import psutil
import pytest
from obstore.exceptions import BaseError

from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient
from boathouse.stack.home import Home
from boathouse.stack.object_access import object_store
from boathouse.stack.processes import ProcessIdentity
from boathouse.stack.profiles import services_of
from boathouse.stack.service import NotReady, Service, Site
from boathouse.stack.services import worker
from boathouse.stack.status import StackStatus, State
from tests.lakehouse_under_test import LakehouseUnderTest, eventually

pytestmark = pytest.mark.stack

SERVICES = ("object-store", "catalog", "control", "worker", "spark")


def status_of(lakehouse: LakehouseUnderTest) -> StackStatus:
    status = lakehouse.status()
    assert status
    return status


def leaders(status: StackStatus) -> dict[str, ProcessIdentity]:
    return {service.name: process for service in status.services if (process := service.process())}


def put(access: LakeAccess, name: str) -> None:
    obstore.put(object_store(access.object_store), name, name.encode())


def get(access: LakeAccess, name: str) -> bytes:
    return bytes(obstore.get(object_store(access.object_store), name).bytes())


def namespaces(access: LakeAccess) -> list[tuple[str, ...]]:
    with CatalogClient(access.catalog) as catalog:
        return list(catalog.namespaces())


def test_each_killed_service_comes_back_and_data_survives_all_of_it(own_lakehouse: LakehouseUnderTest) -> None:
    own_lakehouse.up()
    first = status_of(own_lakehouse)
    access = own_lakehouse.access
    put(access, "test/kept")
    with CatalogClient(access.catalog) as catalog:
        catalog.create_namespace(("kept",))

    for name, leader in leaders(first).items():
        os.kill(leader.pid, signal.SIGKILL)
        eventually(lambda name=name, gone=leader: _is_back(own_lakehouse, name, gone))
        assert leader.session() == []
    assert get(access, "test/kept") == b"test/kept"
    assert namespaces(access) == [("kept",)]

    second = status_of(own_lakehouse)
    os.kill(second.pid, signal.SIGKILL)
    eventually(lambda: own_lakehouse.status() is None)
    assert own_lakehouse.cli("status").returncode == 5
    own_lakehouse.up()
    assert not any(leader.session() for leader in leaders(second).values())
    assert LakeAccess.load(own_lakehouse.home) == access
    assert get(access, "test/kept") == b"test/kept"

    third = status_of(own_lakehouse)
    assert own_lakehouse.cli("down").returncode == 0
    assert not any(leader.session() for leader in leaders(third).values())
    assert not LakeAccess.path(own_lakehouse.home).exists()
    own_lakehouse.up()
    assert get(access, "test/kept") == b"test/kept"
    assert namespaces(access) == [("kept",)]


def _is_back(lakehouse: LakehouseUnderTest, name: str, gone: ProcessIdentity) -> bool:
    service = next(service for service in status_of(lakehouse).services if service.name == name)
    return service.state is State.HEALTHY and service.process() != gone


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_that_hangs_is_noticed(stack: LakehouseUnderTest, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its port is still open: the kernel answers for it. A worker has none, and shows itself by a file."""
    monkeypatch.setattr(worker, "_SILENCE", 3.0)
    leader = leaders(status_of(stack))[name]
    services = {kind.name: kind for kind in services_of("core", stack.settings)}
    ports = json.loads((stack.home / "ports.json").read_text())
    service = services[name](Site(stack.settings, Home(stack.home), ports, stack.access, {"spark": []}))
    os.kill(leader.pid, signal.SIGSTOP)
    try:
        eventually(lambda: _is_not_ready(service))
    finally:
        os.kill(leader.pid, signal.SIGCONT)


def _is_not_ready(service: Service) -> bool:
    try:
        service.check()
    except NotReady:
        return True
    return False


def test_what_the_object_store_acknowledged_survives_a_stop_in_the_middle_of_writing(
    own_lakehouse: LakehouseUnderTest,
) -> None:
    own_lakehouse.up()
    access = own_lakehouse.access
    stopped = Event()

    def write(writer: int) -> list[str]:
        acknowledged: list[str] = []
        while not stopped.is_set():
            name = f"test/{writer}/{len(acknowledged)}"
            try:
                put(access, name)
            except BaseError:
                break
            acknowledged.append(name)
        return acknowledged

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write, number) for number in range(4)]
        own_lakehouse.cli("down")
        stopped.set()
        names = [name for writer in writers for name in writer.result()]
    assert names
    own_lakehouse.up()
    assert [name for name in names if get(access, name) != name.encode()] == []


def test_taken_default_ports_are_avoided_and_data_survives_the_move(own_lakehouse: LakehouseUnderTest) -> None:
    own_lakehouse.up()
    put(own_lakehouse.access, "test/kept")
    own_lakehouse.cli("down")
    before: dict[str, int] = json.loads((own_lakehouse.home / "ports.json").read_text())
    holders = [socket.create_server(("127.0.0.1", port)) for port in before.values()]
    try:
        own_lakehouse.up()
        after: dict[str, int] = json.loads((own_lakehouse.home / "ports.json").read_text())
        assert not set(before.values()) & set(after.values())
        assert get(LakeAccess.load(own_lakehouse.home), "test/kept") == b"test/kept"
    finally:
        for holder in holders:
            holder.close()


def test_a_taken_port_that_was_configured_is_an_error_and_leaves_nothing(own_lakehouse: LakehouseUnderTest) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        own_lakehouse.overrides["BOATHOUSE_CATALOG__PORT"] = port = str(holder.getsockname()[1])
        refused = own_lakehouse.cli("up")
    assert refused.returncode != 0
    assert f"catalog.port is {port}" in refused.stderr
    assert f"process {os.getpid()}" in refused.stderr
    assert own_lakehouse.status() is None


def test_ctrl_c_during_up_stops_what_was_started(own_lakehouse: LakehouseUnderTest) -> None:
    command = [sys.executable, "-m", "boathouse.cli.main", "up"]
    with subprocess.Popen(command, env=own_lakehouse.env, stderr=subprocess.PIPE, text=True) as up:
        eventually(lambda: bool((status := own_lakehouse.status()) and leaders(status)))
        started = status_of(own_lakehouse)
        up.send_signal(signal.SIGINT)
        _, said = up.communicate(timeout=120)
    assert up.returncode != 0
    assert "interrupted" in said
    assert not started.supervisor.alive()
    assert not any(leader.session() for leader in leaders(started).values())


def test_another_s3_store_can_be_used_instead_of_the_bundled_one(
    stack: LakehouseUnderTest, own_lakehouse: LakehouseUnderTest
) -> None:
    theirs = stack.access.object_store
    own_lakehouse.overrides.update(
        {
            "BOATHOUSE_OBJECT_STORE__ENDPOINT": theirs.endpoint,
            "BOATHOUSE_OBJECT_STORE__ACCESS_KEY": theirs.access_key.get_secret_value(),
            "BOATHOUSE_OBJECT_STORE__SECRET_KEY": theirs.secret_key.get_secret_value(),
            "BOATHOUSE_OBJECT_STORE__BUCKET": "another",
        }
    )
    own_lakehouse.up()
    assert [service.name for service in status_of(own_lakehouse).services] == ["catalog", "control", "worker", "spark"]
    put(own_lakehouse.access, "test/there")
    assert get(own_lakehouse.access, "test/there") == b"test/there"


def test_a_foreign_store_that_refuses_is_named(stack: LakehouseUnderTest, own_lakehouse: LakehouseUnderTest) -> None:
    own_lakehouse.overrides.update(
        {
            "BOATHOUSE_OBJECT_STORE__ENDPOINT": stack.access.object_store.endpoint,
            "BOATHOUSE_OBJECT_STORE__ACCESS_KEY": "nobody",
            "BOATHOUSE_OBJECT_STORE__SECRET_KEY": "nothing",
        }
    )
    refused = own_lakehouse.cli("up")
    assert refused.returncode != 0
    assert stack.access.object_store.endpoint in refused.stderr
    assert "nothing" not in refused.stderr


def test_the_idle_lakehouse_is_small(own_lakehouse: LakehouseUnderTest) -> None:
    own_lakehouse.up()
    status = status_of(own_lakehouse)
    pids = [status.pid, *(pid for leader in leaders(status).values() for pid in leader.session())]
    memory = sum(psutil.Process(pid).memory_info().rss for pid in pids)
    assert memory < 1.5e9
