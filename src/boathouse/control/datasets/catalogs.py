"""The catalogs that datasets are in, as the control plane reaches them.

The lakehouse's own is reached with the rights of the installation, so nobody may name a table of it: what of it a workspace
sees was put there by a platform admin. Everything else goes through a connection of the workspace, with that one's rights.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import httpx
from pydantic import SecretStr

from boathouse.control.access.actor import Scope
from boathouse.control.connections.elsewhere import elsewhere
from boathouse.control.connections.hiding import Hidden
from boathouse.control.connections.kinds.iceberg_rest import IcebergRestConfig
from boathouse.control.connections.models import Connection
from boathouse.control.connections.service import Connections
from boathouse.control.connections.steps import SECONDS
from boathouse.control.datasets.manifest_cache import ManifestCache
from boathouse.kit.access import CatalogAccess, LakeAccess, ObjectStoreAccess
from boathouse.kit.catalog_client import CatalogClient, LoadedTable
from boathouse.kit.errors import Forbidden, InvalidInput, Unavailable
from boathouse.kit.objects import Store, canonical_url, open_store

Found = TypeVar("Found")
_ENDPOINT = re.compile(r"https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[!-~]*)?")
_REGION = re.compile(r"[A-Za-z0-9-]+")
_KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True)
class Source:
    """A catalog, and how the files of its tables are reached."""

    access: CatalogAccess
    lake: ObjectStoreAccess | None = None
    """Of the lakehouse's own. Others have to give keys with a table."""
    whose: str = "lake"
    """The connection, where it is not the lakehouse's own."""
    turn: str = "lake"
    """Those who ask by one workspace's connections take turns: a catalog that hangs holds up no other workspace."""
    manifests: ManifestCache = field(default_factory=ManifestCache, compare=False)
    hidden: Hidden = field(default_factory=lambda: Hidden(()), compare=False)
    """What it is reached with: viewers read what it says, and some catalogs repeat what was sent to them."""

    def client(self) -> CatalogClient:
        return CatalogClient(self.access, timeout=SECONDS, fit_to_tell=self.hidden.taken_out_of)

    async def ask(self, question: Callable[[], Found]) -> Found:
        """Beside whoever else is being answered."""
        return await elsewhere(self.turn, question)

    @property
    def needs_keys(self) -> bool:
        return self.lake is None

    def store(self, place: str, table: LoadedTable) -> Store:
        """The store of files below `place`, a directory of the table's."""
        if self.lake is None:
            return _store_with_keys_of(table, place)
        return open_store(
            place,
            endpoint=self.lake.endpoint,
            region=self.lake.region,
            access_key=self.lake.access_key.get_secret_value(),
            secret_key=self.lake.secret_key.get_secret_value(),
        )


@dataclass(frozen=True)
class Catalogs:
    connections: Connections
    home: Path | None
    """Of the lakehouse that this server belongs to, if it belongs to one."""
    manifests: ManifestCache = field(default_factory=ManifestCache, compare=False)

    def lake(self) -> Source:
        if self.home is None:
            raise InvalidInput(
                "This server belongs to no lakehouse of its own.",
                hint="Name a connection to an Iceberg REST catalog, or start the server with --lake.",
            )
        access = LakeAccess.load(self.home)
        return Source(access.catalog, access.object_store, manifests=self.manifests)

    def lake_for(self, scope: Scope) -> Source:
        """For a sync. It opens the lakehouse's tables to a workspace, so it is not for the workspace to decide."""
        source = self.lake()
        if not scope.actor.administers:
            raise Forbidden(
                f"{scope.actor.name} may not sync the lakehouse's own catalog: it takes the role of a platform admin.",
                hint="Ask one, or sync a connection to the catalog with a principal of this workspace's own.",
            )
        return source

    async def behind(self, connection: Connection) -> Source:
        config = IcebergRestConfig.model_validate(connection.config)
        secrets = self.connections.secrets_of(connection)
        token = secrets.get("token") or await _token(config, secrets.get("credential"))
        access = CatalogAccess(uri=config.uri, warehouse=config.warehouse or "", token=SecretStr(token))
        return Source(
            access,
            whose=f"{connection.id} {config.uri}",
            turn=connection.workspace_id,
            manifests=self.manifests,
            hidden=Hidden([token, *secrets.values()]),
        )


def _fit(given: str | None, form: re.Pattern[str], what: str) -> str | None:
    """The library does not refuse what cannot be sent, but breaks. What was given may be secret, and is not repeated."""
    if given and not form.fullmatch(given):
        raise InvalidInput(
            f"What the catalog gives as {what} cannot be one, so the table's files cannot be listed.",
            hint="Look at what the catalog vends for S3.",
        )
    return given


async def _token(config: IcebergRestConfig, credential: str | None) -> str:
    if credential is None:
        return ""
    client_id, _, secret = credential.partition(":")
    form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": secret, "scope": "catalog"}
    try:
        async with httpx.AsyncClient(timeout=SECONDS, trust_env=False) as client:
            answer = await client.post(f"{config.uri}/v1/oauth/tokens", data=form)
        token = answer.raise_for_status().json()["access_token"]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as error:
        raise Unavailable(
            f"The catalog at {config.uri} gave no token ({type(error).__name__}).", hint="Test the connection."
        ) from error
    return str(token)


def _store_with_keys_of(table: LoadedTable, place: str) -> Store:
    """Without keys of the catalog's the library would take the server's own, which are not the workspace's."""
    given = {name: str(value) for name, value in table.config.items()}
    key, secret = given.get("s3.access-key-id"), given.get("s3.secret-access-key")
    if not key or not secret or urlsplit(canonical_url(place)).scheme != "s3":
        raise InvalidInput(
            "The catalog gives no keys for the table's files, so they cannot be listed.",
            hint="It has to vend credentials for an S3 store.",
        )
    return open_store(
        place,
        endpoint=_fit(given.get("s3.endpoint"), _ENDPOINT, "the store's endpoint"),
        region=_fit(given.get("client.region") or given.get("s3.region"), _REGION, "the store's region"),
        access_key=_fit(key, _KEY, "an access key"),
        secret_key=secret,
        session_token=_fit(given.get("s3.session-token"), _KEY, "a session token"),
        path_style=given.get("s3.path-style-access", "true") == "true",
    )
