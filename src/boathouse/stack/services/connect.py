"""Kafka Connect with Debezium's connector for Postgres, which is configured over its HTTP interface and not coded."""

import shutil
import tarfile
from collections.abc import Iterable
from pathlib import Path

import httpx

from boathouse.kit.access import ConnectAccess, KafkaAccess, of_stream
from boathouse.kit.files import private_directory, write_private
from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.ports import PortWish
from boathouse.stack.service import NotReady, Service
from boathouse.stack.services.java_program import java_command, properties_text, write_options

POSTGRES = "postgres"
_PLUGINS = "debezium-postgres"
_JSON = "org.apache.kafka.connect.json.JsonConverter"
_EXTENSION = "org.apache.kafka.connect.rest.basic.auth.extension"
# As large as topics take them.
_LARGEST_EVENT = 64 * 1024 * 1024
# What Kafka's producers have for the other events.
_BUFFER = 32 * 1024 * 1024
# Rows on their way through its queue outlive a round or two of collecting, and copying them again and again took a quarter of
# its CPU: what is young has half of the heap, one thread looks through it, and what stays is left alone early.
_COLLECTING = ("-XX:+UseSerialGC", "-XX:NewRatio=1", "-XX:MaxTenuringThreshold=2")
# Which of its clients log in to Kafka: its own, and those of the connectors.
_CLIENTS = ("", "producer.", "consumer.", "admin.")


def passwords_file(home: Home) -> Path:
    """Where connectors' passwords stand; what they are called there is all that Connect keeps and tells."""
    return home.secrets / "connectors.properties"


class Connect(Service):
    name = "connect"
    needs = ("kafka",)
    uses = ("postgres",)
    artifacts = ("kafka", _PLUGINS)

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        yield PortWish(cls.name, 8083, settings.connect.port, "connect.port")

    def address(self) -> str:
        return self._access.uri

    def prepare(self) -> None:
        self._unpack_plugins()
        private_directory(self._config)
        self._write_passwords()
        users = self._config / "users.properties"
        write_private(users, f"{self._access.user}={self._access.password.get_secret_value()}\n".encode())
        login = f'KafkaConnect {{ {_EXTENSION}.PropertyFileLoginModule required file="{users}"; }};\n'
        write_private(self._config / "login.conf", login.encode())
        write_private(self._properties_file, properties_text(self._properties()).encode())
        options = (*_COLLECTING, f"-Djava.security.auth.login.config={self._config / 'login.conf'}")
        memory, jars = self.site.settings.connect.memory, self.site.artifacts["kafka"]
        write_options(self._config, memory=memory, jars=jars, options=options)

    def command(self) -> list[str]:
        main = "org.apache.kafka.connect.cli.ConnectDistributed"
        return java_command(self.site.settings, self._config, main, str(self._properties_file))

    def check(self) -> None:
        try:
            login = (self._access.user, self._access.password.get_secret_value())
            answer = httpx.get(f"{self._access.uri}/health", auth=login, timeout=5, trust_env=False)
        except httpx.HTTPError as error:
            raise NotReady(f"no answer yet ({type(error).__name__})") from error
        if not answer.is_success:
            raise NotReady(f"not ready yet ({answer.status_code})")

    def _unpack_plugins(self) -> None:
        shutil.rmtree(self._plugins, ignore_errors=True)
        private_directory(self._plugins)
        for archive in self.site.artifacts[_PLUGINS]:
            with tarfile.open(archive) as opened:
                opened.extractall(self._plugins, filter="data")

    def _write_passwords(self) -> None:
        postgres = self.site.lake.postgres
        known = {POSTGRES: postgres.password.get_secret_value()} if postgres else {}
        write_private(passwords_file(self.site.home), properties_text(known).encode())

    def _properties(self) -> dict[str, str]:
        return {
            "bootstrap.servers": self._kafka.servers,
            "group.id": "boathouse-connect",
            "listeners": self._access.uri,
            "rest.extension.classes": f"{_EXTENSION}.BasicAuthSecurityRestExtension",
            "plugin.path": str(self._plugins),
            "plugin.discovery": "service_load",
            "key.converter": _JSON,
            "value.converter": _JSON,
            "key.converter.schemas.enable": "false",
            "value.converter.schemas.enable": "false",
            # A source's offset is written in one transaction with its events, so a crash repeats none.
            "exactly.once.source.support": "enabled",
            "config.providers": "file",
            "config.providers.file.class": "org.apache.kafka.common.config.provider.FileConfigProvider",
            "config.providers.file.param.allowed.paths": str(self.site.home.secrets),
            "producer.max.request.size": str(_LARGEST_EVENT),
            # A producer refuses what is larger than all that it may hold.
            "producer.buffer.memory": str(_LARGEST_EVENT + _BUFFER),
            "scheduled.rebalance.max.delay.ms": "0",
            **{f"{kind}.storage.topic": f"boathouse-connect-{kind}" for kind in ("config", "offset", "status")},
            **{f"{kind}.storage.replication.factor": "1" for kind in ("config", "offset", "status")},
            **{f"{kind}.storage.partitions": "2" for kind in ("offset", "status")},
            **{f"{client}{name}": value for client in _CLIENTS for name, value in self._kafka.java_client().items()},
        }

    @property
    def _access(self) -> ConnectAccess:
        return of_stream(self.site.lake.connect, "Kafka Connect")

    @property
    def _kafka(self) -> KafkaAccess:
        return of_stream(self.site.lake.kafka, "Kafka")

    @property
    def _config(self) -> Path:
        return self.site.home.config(self.name)

    @property
    def _plugins(self) -> Path:
        return self.site.home.scratch(self.name) / "plugins"

    @property
    def _properties_file(self) -> Path:
        return self._config / "connect.properties"
