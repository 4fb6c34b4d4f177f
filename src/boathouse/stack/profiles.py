"""Which services a profile starts."""

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.service import Service
from boathouse.stack.services.catalog import Catalog
from boathouse.stack.services.clickhouse import ClickHouse
from boathouse.stack.services.connect import Connect
from boathouse.stack.services.control import Control
from boathouse.stack.services.etcd import Etcd1, Etcd2, Etcd3
from boathouse.stack.services.kafka import Kafka
from boathouse.stack.services.object_store import ObjectStore
from boathouse.stack.services.postgres import Postgres
from boathouse.stack.services.replicated_catalog import ReplicatedCatalog, SecondCatalog
from boathouse.stack.services.spark import SparkConnect
from boathouse.stack.services.worker import Worker

_CORE: tuple[type[Service], ...] = (ObjectStore, Catalog, Control, Worker, SparkConnect)
PROFILES: dict[str, tuple[type[Service], ...]] = {
    "core": _CORE,
    "stream": (*_CORE, Postgres, Kafka, Connect, ClickHouse),
    "ha": (ObjectStore, Etcd1, Etcd2, Etcd3, ReplicatedCatalog, SecondCatalog, Control, Worker, SparkConnect),
}


def services_of(profile: str, settings: Settings) -> list[type[Service]]:
    """The profile's services that the settings do not place elsewhere."""
    if profile not in PROFILES:
        raise ConfigurationError(
            f"There is no profile {profile!r}.",
            hint=f"Choose one of: {', '.join(PROFILES)} (stack.profile, --profile).",
        )
    return [service for service in PROFILES[profile] if service.wanted(settings)]


def profile_left_out(profile: str, home: Home) -> str | None:
    """A profile that starts all that this one does and more, of which the home has data from before."""
    started = set(PROFILES[profile])
    for name, kinds in PROFILES.items():
        more = set(kinds) - started
        if started < set(kinds) and any(home.data(kind.name).is_dir() for kind in more):
            return name
    return None
