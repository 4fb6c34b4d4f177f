"""The places below a lakehouse's home: data, configuration, logs, secrets, and what says who is running."""

from dataclasses import dataclass
from pathlib import Path

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.files import private_directory


@dataclass(frozen=True)
class Home:
    path: Path

    @property
    def run(self) -> Path:
        return self.path / "run"

    @property
    def secrets(self) -> Path:
        return self.path / "secrets"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def ports(self) -> Path:
        return self.path / "ports.json"

    @property
    def status(self) -> Path:
        return self.run / "status.json"

    @property
    def processes(self) -> Path:
        return self.run / "processes.json"

    @property
    def supervisor_lock(self) -> Path:
        return self.run / "supervisor.lock"

    @property
    def supervisor(self) -> Path:
        """Who holds that lock, or held it last."""
        return self.run / "supervisor.json"

    @property
    def start_lock(self) -> Path:
        return self.run / "start.lock"

    @property
    def supervisor_log(self) -> Path:
        return self.log("supervisor")

    def data(self, service: str) -> Path:
        return self.path / "data" / service

    def config(self, service: str) -> Path:
        return self.path / "config" / service

    def scratch(self, service: str) -> Path:
        return self.path / "scratch" / service

    def log(self, service: str) -> Path:
        return self.logs / f"{service}.log"

    def make(self) -> None:
        """Make the directories, for their owner alone. A home that is there already keeps the mode it has."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            for name in ("config", "data", "logs", "run", "scratch", "secrets"):
                private_directory(self.path / name)
        except OSError as error:
            raise ConfigurationError(
                f"The home {self.path} cannot be used: {error.strerror}.",
                hint="Set BOATHOUSE_HOME to a directory of your own.",
            ) from error
