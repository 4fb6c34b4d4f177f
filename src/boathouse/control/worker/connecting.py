"""The connections that an attempt needs, with their secrets opened: a worker has the keys, a run's process has not."""

from dataclasses import dataclass
from pathlib import Path

from boathouse.control.connections import repository
from boathouse.control.connections.given import GivenConnection
from boathouse.control.connections.models import Connection
from boathouse.control.connections.references import SecretPlaces
from boathouse.control.connections.service import Connections
from boathouse.control.database import Database
from boathouse.control.jobs.kinds import kind_named
from boathouse.control.runs.leases import Claim
from boathouse.control.vault import Keyring, Vault
from boathouse.kit.errors import ConfigurationError, Forbidden


@dataclass(frozen=True)
class SecretSources:
    keys: Path | None = None
    """The file of keys that seal secrets: the API's."""
    directory: Path | None = None
    """Below which connections may take secrets from files."""

    async def connections_for(self, database: Database, claim: Claim) -> dict[str, GivenConnection]:
        """By name, as they are now, whatever they were when the job was made: InvalidInput if one is gone or of another kind,
        Forbidden if a program would be told a shared secret that no platform admin gave to it."""
        given: dict[str, GivenConnection] = {}
        for needed in kind_named(claim.definition.kind).needs(claim.definition.spec):
            async with database.reading() as session:
                found = needed.found(await repository.of_workspace(session, claim.workspace_id, needed.name))
            if needed.tells_shared(found) and not claim.by_platform_admin:
                raise Forbidden(
                    f"The connection {needed.name} is not given to this program: its secret is shared, and no platform "
                    "admin has made this version of the job.",
                    hint="A platform admin may, by applying the job. Or make a connection with a secret of the workspace.",
                )
            given[needed.name] = self._given(found)
        return given

    def _given(self, connection: Connection) -> GivenConnection:
        opened = self.connections() if connection.sealed() else self._with(Keyring("", {}))
        secrets = opened.secrets_of(connection) if connection.secrets else {}
        return GivenConnection.model_validate(
            {"kind": connection.kind, "config": connection.config, "secrets": secrets}
        )

    def connections(self) -> Connections:
        """With the keys as they are now: they change while workers work. ConfigurationError if there are none."""
        return self._with(self._keyring())

    def _with(self, keyring: Keyring) -> Connections:
        return Connections(Vault(keyring), SecretPlaces(self.directory))

    def _keyring(self) -> Keyring:
        """Never made here: a new one would open nothing."""
        if self.keys is None or not self.keys.exists():
            where = "none were named" if self.keys is None else f"{self.keys} is not there"
            raise ConfigurationError(
                f"The worker has no keys to open the connection's secrets with: {where}.",
                hint="Start it with --keys FILE, the same file as the API's.",
            )
        return Keyring.read(self.keys)
