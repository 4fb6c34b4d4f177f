"""Kafka: one broker that is its own controller (KRaft). Whoever asks has to log in, the controller's own port included."""

import base64
import secrets
import subprocess
from collections.abc import Iterable
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from boathouse.kit.access import KafkaAccess, of_stream
from boathouse.kit.errors import WorkFailed
from boathouse.kit.files import private_directory, write_private
from boathouse.kit.settings import Settings, in_bytes
from boathouse.stack.ports import LOOPBACK, PortWish
from boathouse.stack.service import NotReady, Service
from boathouse.stack.services.java_program import java_command, properties_text, write_options

_FORMAT_SECONDS = 120
_MILLISECONDS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}
# What a broker keeps for itself, in copies that a single one can hold.
_COPIES = {
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "8",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "8",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
}


class Kafka(Service):
    name = "kafka"
    # With what Spark reads it by: whoever starts a broker means to follow its topics.
    artifacts = ("kafka", "spark-kafka")

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        yield PortWish(cls.name, 9092, settings.kafka.port, "kafka.port")
        yield PortWish("kafka.controller", 9093)

    def address(self) -> str:
        return self._access.servers

    def prepare(self) -> None:
        private_directory(self._data)
        write_private(self._properties_file, properties_text(self._properties()).encode())
        settings = self.site.settings
        write_options(self._config, memory=settings.kafka.memory, jars=self.site.artifacts["kafka"])
        if not (self._data / "meta.properties").exists():
            self._format()

    def command(self) -> list[str]:
        return java_command(self.site.settings, self._config, "kafka.Kafka", str(self._properties_file))

    def check(self) -> None:
        try:
            AdminClient(self._access.client()).list_topics(timeout=4)
        except KafkaException as error:
            raise NotReady(f"no answer yet ({error.args[0].name()})") from error

    def _format(self) -> None:
        cluster = base64.urlsafe_b64encode(b"\0" + secrets.token_bytes(15)).decode().rstrip("=")
        arguments = ("format", "--standalone", "--ignore-formatted", "-t", cluster, "-c", str(self._properties_file))
        command = java_command(self.site.settings, self._config, "kafka.tools.StorageTool", *arguments)
        done = subprocess.run(command, capture_output=True, text=True, timeout=_FORMAT_SECONDS, check=False)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip()[-500:]
            raise WorkFailed(f"Kafka's directory could not be prepared: {said}", hint="See that the disk has room.")

    def _properties(self) -> dict[str, str]:
        broker, controller = self.site.ports[self.name], self.site.ports["kafka.controller"]
        login = self._login()
        return {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.bootstrap.servers": f"{LOOPBACK}:{controller}",
            "controller.listener.names": "CONTROLLER",
            "listeners": f"BROKER://{LOOPBACK}:{broker},CONTROLLER://{LOOPBACK}:{controller}",
            "advertised.listeners": f"BROKER://{LOOPBACK}:{broker},CONTROLLER://{LOOPBACK}:{controller}",
            "listener.security.protocol.map": "BROKER:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
            "inter.broker.listener.name": "BROKER",
            "sasl.enabled.mechanisms": "PLAIN",
            "sasl.mechanism.inter.broker.protocol": "PLAIN",
            "sasl.mechanism.controller.protocol": "PLAIN",
            "listener.name.broker.plain.sasl.jaas.config": login,
            "listener.name.controller.plain.sasl.jaas.config": login,
            "log.dirs": str(self._data),
            # A topic is made by whoever means to have it: a misspelt name is an error and not an empty topic.
            "auto.create.topics.enable": "false",
            "group.initial.rebalance.delay.ms": "0",
            # A row may hold a document of many megabytes; Kafka's own limit of one would stop its connector.
            "message.max.bytes": str(64 * 1024 * 1024),
            **self._retention(),
            **_COPIES,
        }

    def _retention(self) -> dict[str, str]:
        """Of topics that do not say it themselves. -1 is for ever, or all."""
        time, size = self.site.settings.kafka.retention, self.site.settings.kafka.retention_size
        return {
            "log.retention.ms": "-1" if time == "forever" else str(int(time[:-1]) * _MILLISECONDS[time[-1]]),
            "log.retention.bytes": "-1" if size is None else str(in_bytes(size)),
        }

    def _login(self) -> str:
        user, password = self._access.user, self._access.password.get_secret_value()
        module = "org.apache.kafka.common.security.plain.PlainLoginModule"
        return f'{module} required username="{user}" password="{password}" user_{user}="{password}";'

    @property
    def _access(self) -> KafkaAccess:
        return of_stream(self.site.lake.kafka, "Kafka")

    @property
    def _data(self) -> Path:
        return self.site.home.data(self.name)

    @property
    def _config(self) -> Path:
        return self.site.home.config(self.name)

    @property
    def _properties_file(self) -> Path:
        return self._config / "server.properties"
