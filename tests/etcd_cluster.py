"""A real etcd of one or three members on loopback, whose members can be killed, paused and started again.

with EtcdCluster(tmp_path, members=3) as cluster:
    store = open_store(cluster.address("my-root"))
    cluster.leader().kill()
"""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from boathouse.kit.settings import load_settings
from boathouse.stack.etcd_program import install_etcd

_START_SECONDS = 120


class Member:
    """One etcd process with its data."""

    def __init__(self, number: int, directory: Path, scheme: str) -> None:
        self.name = f"m{number}"
        self.port, self.peer_port = free_ports(2)
        self.endpoint = f"127.0.0.1:{self.port}"
        self.url = f"{scheme}://{self.endpoint}"
        self.peer_url = f"http://127.0.0.1:{self.peer_port}"
        self.data = directory / self.name
        self.log = directory / f"{self.name}.log"
        self.command: Sequence[str] = ()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)

    restart = start

    def kill(self) -> None:
        """kill -9, and its data stays as it was at that moment."""
        self._signal(signal.SIGKILL)
        self.wait()

    def pause(self) -> None:
        """It stands still: its connections stay open and nothing is answered."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self._signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.wait()
            except subprocess.TimeoutExpired:
                self.kill()

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def wait(self) -> None:
        assert self.process is not None
        self.process.wait(timeout=60)

    def _signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        os.kill(self.process.pid, number)


class EtcdCluster:
    """`fsync=False` is several times faster, and right wherever the machine's own crash is not the subject."""

    def __init__(
        self, directory: Path, *options: str, members: int = 1, fsync: bool = False, tls: "ServerTls | None" = None
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.tls = tls
        self.members = [Member(number + 1, directory, "https" if tls else "http") for number in range(members)]
        program = install_etcd(load_settings())
        for member in self.members:
            durable = [] if fsync else ["--unsafe-no-fsync"]
            member.command = [str(program), *self._options(member), *durable, *options]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        for member in self.members:
            member.start()
        try:
            self.leader()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        for member in self.members:
            member.stop()

    def address(self, root: str = "boathouse") -> str:
        """As `open_store` and `--store` take it."""
        scheme = "etcds" if self.tls else "etcd"
        return f"{scheme}://{','.join(member.endpoint for member in self.members)}/{root}"

    def leader(self) -> Member:
        """Who leads now. Waits while nobody does."""
        found: list[Member] = []

        def look() -> bool:
            found[:] = [member for member in self.members if self._leads(member)]
            return len(found) == 1

        eventually(look, _START_SECONDS, "etcd has no leader")
        return found[0]

    def whole(self) -> None:
        """Wait until every member takes part again: whoever takes one away before that takes the majority."""
        eventually(lambda: all(map(self._takes_part, self.members)), _START_SECONDS, "a member of etcd stays away")

    def followers(self) -> list[Member]:
        leader = self.leader()
        return [member for member in self.members if member is not leader]

    def post(self, member: Member, path: str, body: Any, token: str | None = None) -> Any:
        """A call of etcd's JSON gateway, for what the store itself has no need of."""
        headers = {"Authorization": token} if token else {}
        with self._http() as http:
            answer = http.post(f"{member.url}/v3/{path}", json=body, headers=headers)
        answer.raise_for_status()
        return answer.json()

    def _leads(self, member: Member) -> bool:
        status = self._status(member)
        return bool(status) and status.get("leader", "0") == status["header"]["member_id"]

    def _takes_part(self, member: Member) -> bool:
        return self._status(member).get("leader", "0") != "0"

    def _status(self, member: Member) -> Any:
        if not member.running:
            return {}
        try:
            return self.post(member, "maintenance/status", {})
        except httpx.HTTPError:
            return {}

    def _http(self) -> httpx.Client:
        if self.tls is None:
            return httpx.Client(trust_env=False, timeout=1)
        return httpx.Client(trust_env=False, timeout=1, verify=self.tls.client_context())

    def _options(self, member: Member) -> list[str]:
        return [
            f"--name={member.name}",
            f"--data-dir={member.data}",
            "--logger=zap",
            "--log-level=warn",
            f"--listen-client-urls={member.url}",
            f"--advertise-client-urls={member.url}",
            f"--listen-peer-urls={member.peer_url}",
            f"--initial-advertise-peer-urls={member.peer_url}",
            f"--initial-cluster={','.join(f'{each.name}={each.peer_url}' for each in self.members)}",
            *(self.tls.options() if self.tls else ()),
        ]


class ServerTls:
    """Certificates of an authority of our own, for the members and for a client."""

    def __init__(self, directory: Path) -> None:
        import trustme

        directory.mkdir(parents=True, exist_ok=True)
        authority = trustme.CA()
        self.ca, self.cert, self.key = (directory / name for name in ("ca.pem", "client.pem", "client.key"))
        self._server = (directory / "server.pem", directory / "server.key")
        authority.cert_pem.write_to_path(str(self.ca))
        for certificate, (chain, key) in (
            (authority.issue_cert("127.0.0.1", "localhost"), self._server),
            (authority.issue_cert("catalog"), (self.cert, self.key)),
        ):
            certificate.cert_chain_pems[0].write_to_path(str(chain))
            certificate.private_key_pem.write_to_path(str(key))

    def options(self) -> list[str]:
        chain, key = self._server
        return [f"--cert-file={chain}", f"--key-file={key}", f"--trusted-ca-file={self.ca}", "--client-cert-auth"]

    def client_context(self) -> Any:
        import ssl

        context = ssl.create_default_context(cafile=str(self.ca))
        context.load_cert_chain(self.cert, self.key)
        return context


def free_ports(count: int) -> list[int]:
    """All held at once while they are looked for, so that no two are the same."""
    listening = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in listening]
    for each in listening:
        each.close()
    return ports


def eventually(holds: Callable[[], bool], seconds: float, complaint: str) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, complaint
        time.sleep(0.05)
