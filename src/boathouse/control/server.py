"""The control plane's API as a process: the database brought up to date, then served until it is told to stop."""

import asyncio
import sys
from dataclasses import dataclass, field
from pathlib import Path

from boathouse.control.app import ApiOptions, create_app
from boathouse.control.connections.references import SecretPlaces
from boathouse.control.connections.service import Connections, rewrap_all
from boathouse.control.database import migrate, open_database
from boathouse.control.database.database import async_url
from boathouse.control.users.service import FIRST_ADMIN, first_admin
from boathouse.control.vault import Keyring, Vault
from boathouse.kit.errors import ConfigurationError
from boathouse.kit.serving import configure_logging, listen, serve_app


@dataclass(frozen=True)
class ServerOptions:
    database: str
    host: str = "127.0.0.1"
    port: int = 8080
    drain_seconds: float = 1.0
    keys: Path | None = None
    """The file of keys that seal secrets. None: beside the database, if that is a file."""
    secrets: Path | None = None
    """Below which connections may take secrets from files."""
    api: ApiOptions = field(default_factory=ApiOptions)


def serve(options: ServerOptions) -> None:
    """Serve until SIGTERM or SIGINT."""
    configure_logging()
    # Before the database is touched: a second server on the same port changes nothing.
    listening = listen(options.host, options.port)
    vault = Vault(Keyring.load(keys_file(options.database, options.keys)))
    asyncio.run(_prepare(options.database))
    connections = Connections(vault, SecretPlaces(options.secrets))
    serve_app(create_app(open_database(options.database), connections, options.api), listening, options.drain_seconds)


def rotate_keys(database: str, keys: Path | None) -> int:
    """Seal every secret's key with a new one of the installation's; how many secrets there are."""
    return asyncio.run(_rotate(database, keys_file(database, keys)))


def keys_file(database: str, given: Path | None) -> Path:
    if given is not None:
        return given
    url = async_url(database)
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).parent / "control-keys.json"
    raise ConfigurationError(
        "Where the keys are that seal secrets is not said.",
        hint="Give --keys FILE: the same file for every server and worker on this database.",
    )


async def _rotate(url: str, path: Path) -> int:
    database = open_database(url)
    # Both keys are in the file before any secret needs the new one, and until none needs the old.
    keyring = Keyring.load(path).with_new_key().saved(path)
    try:
        await migrate(database)
        async with database.changing() as session:
            count = await rewrap_all(session, Vault(keyring))
    finally:
        await database.close()
    return count


async def _prepare(url: str) -> None:
    database = open_database(url)
    try:
        await migrate(database)
        password = await first_admin(database)
    finally:
        await database.close()
    if password is not None:
        # Not by the log, which is kept: it is for whoever starts it first, and said once.
        sys.stderr.write(f"The first user is {FIRST_ADMIN!r} with the password {password}\nIt is not told again.\n")
