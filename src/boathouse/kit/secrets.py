"""Secrets made once, kept where only their owner can read them."""

import secrets
from pathlib import Path

from pydantic import SecretStr

from boathouse.kit.files import write_private

# 24 random bytes, 32 characters: more than anybody can guess, and short enough for every S3 client.
_BYTES = 24


def kept_secret(directory: Path, name: str) -> SecretStr:
    """The secret of that name; the first call makes it, every later one finds it."""
    path = directory / name
    try:
        return SecretStr(path.read_text().strip())
    except FileNotFoundError:
        value = secrets.token_urlsafe(_BYTES).replace("-", "a").replace("_", "b")
        write_private(path, value.encode())
        return SecretStr(value)
