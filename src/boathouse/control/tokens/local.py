"""The token of a lakehouse on one machine: in a file that only its user can read, and here as a hash.

Whoever can read the file is the platform admin, and nobody has to type a password.
"""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.roles import Role
from boathouse.control.access.secrets import hash_of, new_secret
from boathouse.control.audit.chain import append, done_at_the_machine
from boathouse.control.database import Database
from boathouse.control.database.base import now
from boathouse.control.tokens.models import LOCAL_ID, Token
from boathouse.control.users import repository as users
from boathouse.control.users.models import User
from boathouse.kit.errors import ConfigurationError
from boathouse.kit.files import write_private

# Renewed at each start, so longer than any server runs without one.
_LIFETIME = timedelta(days=3650)
_OTHERS = 0o077


def kept_token(path: Path) -> str:
    """What the file holds; the first call makes it."""
    try:
        mode, secret = path.stat().st_mode, path.read_text().strip()
    except FileNotFoundError:
        return _made(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"The token in {path} cannot be read: {error}.", hint="Remove the file.") from error
    if mode & _OTHERS:
        raise ConfigurationError(
            f"Others may read {path}, and whoever does is platform admin.",
            hint="Remove it, and start again: another token is made, and this one is worth nothing.",
        )
    if not secret:
        raise ConfigurationError(f"{path} is empty.", hint="Remove it, and start again: a token is made.")
    return secret


def _made(path: Path) -> str:
    secret = new_secret()
    try:
        write_private(path, secret.encode())
    except OSError as error:
        raise ConfigurationError(
            f"No token can be written to {path}: {error.strerror}.", hint="Name a file in a directory of your own."
        ) from error
    return secret


async def ensure(database: Database, secret: str) -> None:
    """Make this the local token, in place of any other."""
    async with database.changing() as session:
        admin = await users.first_platform_admin(session)
        if admin is None:
            raise ConfigurationError("There is no platform admin to be.", hint="Start without --local-token-file.")
        token = await session.get(Token, LOCAL_ID) or _new()
        is_another = token.secret_hash != hash_of(secret)
        token.user_id, token.secret_hash = admin.id, hash_of(secret)
        token.expires_at = now() + _LIFETIME
        session.add(token)
        await session.flush()
        if is_another:
            await _noted(session, admin)


def _new() -> Token:
    return Token(id=LOCAL_ID, name="this machine's lakehouse", secret_hash="", role=Role.ADMIN)


async def _noted(session: AsyncSession, admin: User) -> None:
    entry = done_at_the_machine("token.make-local", f"token {LOCAL_ID}")
    await append(session, replace(entry, user_id=admin.id, user_name=admin.name))
