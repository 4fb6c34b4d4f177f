"""Which services a profile starts."""

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.settings import Settings
from boathouse.stack.service import Service
from boathouse.stack.services.catalog import Catalog
from boathouse.stack.services.control import Control
from boathouse.stack.services.etcd import Etcd1, Etcd2, Etcd3
from boathouse.stack.services.object_store import ObjectStore
from boathouse.stack.services.replicated_catalog import ReplicatedCatalog, SecondCatalog
from boathouse.stack.services.spark import SparkConnect
from boathouse.stack.services.worker import Worker

PROFILES: dict[str, tuple[type[Service], ...]] = {
    "core": (ObjectStore, Catalog, Control, Worker, SparkConnect),
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
