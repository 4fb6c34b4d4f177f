"""Everything that is decided before a service starts: files, ports, credentials, and so how the lake is reached."""

from collections.abc import Iterable, Mapping

from boathouse.kit.access import (
    CatalogAccess,
    ClickHouseAccess,
    ConnectAccess,
    ControlAccess,
    KafkaAccess,
    LakeAccess,
    ObjectStoreAccess,
    PostgresAccess,
    SparkAccess,
)
from boathouse.kit.errors import ConfigurationError
from boathouse.kit.secrets import kept_secret
from boathouse.kit.settings import Settings
from boathouse.stack.artifacts import Artifact, ArtifactCache, read_lock
from boathouse.stack.home import Home
from boathouse.stack.ports import LOOPBACK, PortBook
from boathouse.stack.profiles import services_of
from boathouse.stack.service import Service, Site
from boathouse.stack.services.clickhouse import ClickHouse
from boathouse.stack.services.connect import POSTGRES, Connect, passwords_file
from boathouse.stack.services.control import TOKEN, Control
from boathouse.stack.services.kafka import Kafka
from boathouse.stack.services.postgres import DEFAULT_PORT as POSTGRES_PORT
from boathouse.stack.services.postgres import Postgres

_USER = "boathouse"


def artifact_cache(settings: Settings) -> ArtifactCache:
    return ArtifactCache(settings.cache / "artifacts")


def port_book(settings: Settings) -> PortBook:
    return PortBook(Home(settings.home).ports, settings.cache / "ports")


def artifacts_of(profile: str, settings: Settings) -> list[Artifact]:
    lock = read_lock()
    return [artifact for group in _groups(services_of(profile, settings)) for artifact in lock[group]]


def plan(settings: Settings, profile: str, book: PortBook) -> list[Service]:
    """The services, ready to start. Nothing is fetched; what is missing is an error."""
    kinds = services_of(profile, settings)
    lock, cache = read_lock(), artifact_cache(settings)
    files = {group: cache.require(lock[group]) for group in _groups(kinds)}
    ports = book.assign(wish for kind in kinds for wish in kind.port_wishes(settings))
    home = Home(settings.home)
    site = Site(settings, home, ports, lake_access(settings, home, ports), files)
    return [kind(site) for kind in kinds]


def lake_access(settings: Settings, home: Home, ports: Mapping[str, int]) -> LakeAccess:
    return LakeAccess(
        object_store=_object_store(settings, home, ports),
        catalog=CatalogAccess(
            uri=f"http://{LOOPBACK}:{ports['catalog']}",
            warehouse=settings.catalog.warehouse,
            token=kept_secret(home.secrets, "catalog-token"),
        ),
        spark=SparkAccess(
            # By name: to an address, even this one, Spark's client sends a token only over TLS.
            remote=f"sc://localhost:{ports['spark']}",
            token=kept_secret(home.secrets, "spark-token"),
            catalog=settings.catalog.warehouse,
            ui=f"http://{LOOPBACK}:{ports['spark.ui']}",
        ),
        control=_control(home, ports),
        postgres=_postgres(settings, home, ports),
        kafka=_kafka(home, ports),
        connect=_connect(home, ports),
        clickhouse=_clickhouse(settings, home, ports),
    )


def _control(home: Home, ports: Mapping[str, int]) -> ControlAccess | None:
    if Control.name not in ports:
        return None
    return ControlAccess(uri=f"http://{LOOPBACK}:{ports[Control.name]}", token=kept_secret(home.secrets, TOKEN))


def _postgres(settings: Settings, home: Home, ports: Mapping[str, int]) -> PostgresAccess | None:
    given = settings.postgres
    if given.host and not (given.user and given.password):
        raise ConfigurationError(
            f"postgres.host is {given.host}, but its user and password are not given.",
            hint="Set BOATHOUSE_POSTGRES__USER and BOATHOUSE_POSTGRES__PASSWORD.",
        )
    if not given.host and Postgres.name not in ports:
        return None
    return PostgresAccess(
        host=given.host or LOOPBACK,
        port=(given.port or POSTGRES_PORT) if given.host else ports[Postgres.name],
        database=given.database,
        user=given.user or _USER,
        password=given.password or kept_secret(home.secrets, "postgres-password"),
        # The bundled one is on this machine alone, and has no certificate.
        sslmode=given.sslmode if given.host else "disable",
    )


def _kafka(home: Home, ports: Mapping[str, int]) -> KafkaAccess | None:
    if Kafka.name not in ports:
        return None
    password = kept_secret(home.secrets, "kafka-password")
    return KafkaAccess(servers=f"{LOOPBACK}:{ports[Kafka.name]}", user=_USER, password=password)


def _connect(home: Home, ports: Mapping[str, int]) -> ConnectAccess | None:
    if Connect.name not in ports:
        return None
    password = kept_secret(home.secrets, "connect-password")
    return ConnectAccess(
        uri=f"http://{LOOPBACK}:{ports[Connect.name]}",
        user=_USER,
        password=password,
        postgres_password=f"${{file:{passwords_file(home)}:{POSTGRES}}}",
    )


def _clickhouse(settings: Settings, home: Home, ports: Mapping[str, int]) -> ClickHouseAccess | None:
    given = settings.clickhouse
    if given.uri and not (given.user and given.password):
        raise ConfigurationError(
            f"clickhouse.uri is {given.uri}, but its user and password are not given.",
            hint="Set BOATHOUSE_CLICKHOUSE__USER and BOATHOUSE_CLICKHOUSE__PASSWORD.",
        )
    if not given.uri and ClickHouse.name not in ports:
        return None
    return ClickHouseAccess(
        uri=given.uri or f"http://{LOOPBACK}:{ports[ClickHouse.name]}",
        user=given.user or _USER,
        password=given.password or kept_secret(home.secrets, "clickhouse-password"),
        database=given.database,
    )


def _object_store(settings: Settings, home: Home, ports: Mapping[str, int]) -> ObjectStoreAccess:
    given = settings.object_store
    if given.endpoint and not (given.access_key and given.secret_key):
        raise ConfigurationError(
            f"object_store.endpoint is {given.endpoint}, but its keys are not given.",
            hint="Set BOATHOUSE_OBJECT_STORE__ACCESS_KEY and BOATHOUSE_OBJECT_STORE__SECRET_KEY.",
        )
    return ObjectStoreAccess(
        endpoint=given.endpoint or f"http://{LOOPBACK}:{ports['object-store']}",
        region=given.region,
        bucket=given.bucket,
        access_key=given.access_key or kept_secret(home.secrets, "object-store-access-key"),
        secret_key=given.secret_key or kept_secret(home.secrets, "object-store-secret-key"),
    )


def _groups(kinds: Iterable[type[Service]]) -> list[str]:
    return list(dict.fromkeys(group for kind in kinds for group in kind.artifacts))
