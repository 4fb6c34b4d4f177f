"""The installation's keys and what is sealed with them: a file that is made once, changed, and never replaced unnoticed."""

from pathlib import Path

from boathouse.control.audit.chain import append, done_at_the_machine
from boathouse.control.connections import repository
from boathouse.control.connections.service import rewrap_all
from boathouse.control.database import Database
from boathouse.control.vault import Keyring, Vault
from boathouse.kit.errors import ConfigurationError


async def keyring_of(database: Database, path: Path) -> Keyring:
    """From the file; made where nothing is sealed yet. A new one would open nothing of what is."""
    if not Keyring.is_at(path) and (count := await _sealed(database)):
        raise ConfigurationError(
            f"{path} is not there, and {count} {'secret is' if count == 1 else 'secrets are'} sealed with keys from it.",
            hint="Restore it, or say where it is with --keys. If it is lost for good, so are they: "
            "`boathouse control rotate-keys --lost` makes a new one, and each secret has to be given again.",
        )
    return Keyring.load(path)


async def rotate(database: Database, path: Path) -> int:
    """Put every secret under a new key; how many there are."""
    async with database.changing() as session:
        # First of all they are locked: of two who change keys at once, the second begins with what the first left.
        connections = await repository.every(session, lock=True)
        before = await keyring_of(database, path)
        # Both keys are in the file before any secret needs the new one, and until none needs the old.
        keyring = before.with_new_key().saved(path)
        count = rewrap_all(connections, Vault(keyring))
        await append(session, done_at_the_machine("keys.rotate", f"key {keyring.current}", secrets=count))
    return count


async def drop_old(database: Database, path: Path) -> int:
    """Forget all keys but the newest; how many secrets are under that. For when no server has an older one any more."""
    async with database.changing() as session:
        connections = await repository.every(session, lock=True)
        keyring = await keyring_of(database, path)
        count = rewrap_all(connections, Vault(keyring))
        dropped = sorted(set(keyring.keys) - {keyring.current})
        await append(session, done_at_the_machine("keys.drop-old", f"key {keyring.current}", dropped=dropped))
    # Not before no secret needs them, and in a turn of its own: whoever changed keys meanwhile has left other ones.
    async with database.changing() as session:
        connections = await repository.every(session, lock=True)
        needed = {kept["key"] for one in connections for kept in one.sealed().values()}
        (await keyring_of(database, path)).without_old(needed).saved(path)
    return count


async def replace_lost(database: Database, path: Path) -> int:
    """A new file in place of one that is lost; how many secrets were given up, which nobody could open any more.

    They are removed: left where they are, they would stand in the way of every later change of keys.
    """
    if Keyring.is_at(path):
        raise ConfigurationError(f"{path} is there, so its keys are not lost.", hint="Leave out --lost.")
    async with database.changing() as session:
        given_up: list[str] = []
        for connection in await repository.every(session, lock=True):
            lost = connection.sealed()
            given_up += [f"{connection.id} {connection.name} {field}" for field in lost]
            connection.secrets = {field: kept for field, kept in connection.secrets.items() if field not in lost}
            connection.last_test = None if lost else connection.last_test
        await append(session, done_at_the_machine("keys.replace-lost", "key 1", given_up=given_up))
    Keyring.load(path)
    return len(given_up)


async def _sealed(database: Database) -> int:
    async with database.reading() as session:
        return sum(len(one.sealed()) for one in await repository.every(session))
