"""The control plane's API as a process: the database brought up to date, then served until it is told to stop."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from boathouse.control.app import create_app
from boathouse.control.connections.keys import keyring_of
from boathouse.control.connections.references import SecretPlaces
from boathouse.control.connections.service import Connections
from boathouse.control.database import Database, migrate, open_database
from boathouse.control.database.database import async_url
from boathouse.control.options import ApiOptions
from boathouse.control.runs.results import Results
from boathouse.control.tokens import local
from boathouse.control.users.service import FIRST_ADMIN, first_admin
from boathouse.control.vault import Keyring, Vault
from boathouse.kit.closed_process import close_to_others
from boathouse.kit.errors import ConfigurationError
from boathouse.kit.objects import canonical_url
from boathouse.kit.serving import configure_logging, listen, serve_app

_KEYS = "control-keys.json"


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
    results: str | None = None
    """Where workers keep the results of runs, as file:// or s3://. None: beside the database, if that is a file."""
    api: ApiOptions = field(default_factory=ApiOptions)
    local_token: Path | None = None
    """The file whose token is the platform admin's, in place of a password for the first one."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies that are believed who asks, beside this machine's own."""


def serve(options: ServerOptions) -> None:
    """Serve until SIGTERM or SIGINT."""
    # On one machine programs of runs may be processes of the same user, and are not told what is shared.
    close_to_others()
    configure_logging()
    # Before the database is touched: a second server on the same port changes nothing.
    listening = listen(options.host, options.port)
    keyring = asyncio.run(_prepare(options, keys_file(options.database, options.keys)))
    connections = Connections(Vault(keyring), SecretPlaces(options.secrets))
    results = Results(results_root(options.database, options.results))
    app = create_app(open_database(options.database), connections, results, options.api)
    serve_app(app, listening, options.drain_seconds, proxies=options.proxies)


def change_keys(database: str, keys: Path | None, how: Callable[[Database, Path], Awaitable[int]]) -> int:
    """The installation's own; how many secrets it concerned."""
    return asyncio.run(_changed(database, keys_file(database, keys), how))


def keys_file(database: str, given: Path | None) -> Path:
    if given is not None:
        return given
    if (beside := keys_beside(database)) is not None:
        return beside
    raise ConfigurationError(
        "Where the keys are that seal secrets is not said.",
        hint="Give --keys FILE: the same file for every server and worker on this database.",
    )


def keys_beside(database: str) -> Path | None:
    """Where the keys are if nobody says otherwise; None if that has to be said."""
    beside = _beside(database)
    return None if beside is None else beside / _KEYS


def results_root(database: str, given: str | None) -> str:
    if given is not None:
        return canonical_url(given)
    if (beside := _beside(database)) is not None:
        return f"file://{beside.absolute()}/results"
    raise ConfigurationError(
        "Where the results of runs are is not said.",
        hint="Give --results s3://BUCKET/PREFIX or file:///DIRECTORY: the same for every server and worker.",
    )


def _beside(database: str) -> Path | None:
    """The directory of a database that is a file."""
    url = async_url(database)
    return Path(url.database).parent if url.get_backend_name() == "sqlite" and url.database else None


async def _changed(url: str, path: Path, how: Callable[[Database, Path], Awaitable[int]]) -> int:
    database = open_database(url)
    try:
        await migrate(database)
        return await how(database, path)
    finally:
        await database.close()


async def _prepare(options: ServerOptions, keys: Path) -> Keyring:
    database = open_database(options.database)
    try:
        await migrate(database)
        keyring = await keyring_of(database, keys)
        password = await first_admin(database, with_password=options.local_token is None)
        if options.local_token is not None:
            await local.ensure(database, local.kept_token(options.local_token))
    finally:
        await database.close()
    if password is not None:
        # Not by the log, which is kept: it is for whoever starts it first, and said once.
        sys.stderr.write(f"The first user is {FIRST_ADMIN!r} with the password {password}\nIt is not told again.\n")
    return keyring
