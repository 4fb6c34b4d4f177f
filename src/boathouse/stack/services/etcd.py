"""Three members of etcd, which keep the catalog's state by Raft: any one of them may die.

They bind loopback and ask nobody who they are: whoever can open a connection to loopback, so every user of this machine,
can read and change the catalog through them. Where not all of them are trusted, an etcd elsewhere has to be used.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import httpx

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.files import private_directory, write_private
from boathouse.kit.settings import Settings
from boathouse.stack.etcd_program import etcd_program, install_etcd
from boathouse.stack.ports import LOOPBACK, PortWish
from boathouse.stack.service import Impaired, NotReady, Service

MEMBERS = ("etcd-1", "etcd-2", "etcd-3")


class EtcdMember(Service):
    # So that etcd's own defaults, 2379 and 2380, are left to an etcd that is no part of this.
    first_port: ClassVar[int]

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        del settings
        yield PortWish(cls.name, cls.first_port)
        yield PortWish(f"{cls.name}.peer", cls.first_port + 1)

    @classmethod
    def install(cls, settings: Settings) -> None:
        install_etcd(settings)

    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.site.ports[self.name]}"

    def prepare(self) -> None:
        private_directory(self.site.home.data(self.name))
        self._insist_on_peers()

    def command(self) -> list[str]:
        return [
            str(etcd_program(self.site.settings)),
            f"--name={self.name}",
            f"--data-dir={self.site.home.data(self.name)}",
            *(f"--listen-client-urls={self.address()}", f"--advertise-client-urls={self.address()}"),
            *(f"--listen-peer-urls={self._peer(self.name)}", f"--initial-advertise-peer-urls={self._peer(self.name)}"),
            f"--initial-cluster={self._peers()}",
            # An hour of old revisions is more than any export takes.
            *("--auto-compaction-mode=periodic", "--auto-compaction-retention=1h"),
            *("--logger=zap", "--log-level=warn"),
        ]

    def check(self) -> None:
        self._ask("serializable=true", NotReady)
        # It lives, but too few of the others do: starting it again would not help.
        self._ask("", Impaired)

    def _ask(self, query: str, problem: type[NotReady]) -> None:
        try:
            response = httpx.get(f"{self.address()}/health?{query}", timeout=3, trust_env=False)
        except httpx.HTTPError as error:
            raise problem(f"no answer yet ({type(error).__name__})") from error
        if not response.is_success:
            raise problem(f"not ready yet ({response.status_code})")

    def _insist_on_peers(self) -> None:
        """The members know each other by their ports from the first start on; at other ports they would never meet."""
        kept = self.site.home.config(self.name) / "peers"
        if kept.exists() and kept.read_text() != self._peers():
            raise ConfigurationError(
                f"etcd's members know each other as {kept.read_text()}, but one of these ports is taken now.",
                hint="Stop what listens there, then run `boathouse down` and `boathouse up --profile ha`.",
            )
        write_private(kept, self._peers().encode())

    def _peers(self) -> str:
        return ",".join(f"{name}={self._peer(name)}" for name in MEMBERS)

    def _peer(self, name: str) -> str:
        return f"http://{LOOPBACK}:{self.site.ports[f'{name}.peer']}"


class Etcd1(EtcdMember):
    name = MEMBERS[0]
    first_port = 12379


class Etcd2(EtcdMember):
    name = MEMBERS[1]
    first_port = 22379


class Etcd3(EtcdMember):
    name = MEMBERS[2]
    first_port = 32379


def store_address(ports: Mapping[str, int]) -> str:
    """The address by which the catalog knows all the members."""
    return f"etcd://{','.join(f'{LOOPBACK}:{ports[name]}' for name in MEMBERS)}"
