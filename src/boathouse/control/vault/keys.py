"""The installation's keys, in a file that only its owner can read. The newest seals; the older ones still open."""

import base64
import secrets
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.files import create_private, write_private

_BYTES = 32


@dataclass(frozen=True)
class Keyring:
    current: str
    keys: dict[str, bytes]

    @classmethod
    def load(cls, path: Path) -> "Keyring":
        """From the file; the first call makes it. Of several at once one does, and the others take what it made."""
        if not path.exists():
            _create(path, cls("1", {"1": secrets.token_bytes(_BYTES)}))
        return cls.read(path)

    @staticmethod
    def is_at(path: Path) -> bool:
        return path.exists()

    @classmethod
    def read(cls, path: Path) -> "Keyring":
        """From the file that somebody else made."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ConfigurationError(
                f"The keys in {path} cannot be read: {error.strerror}.", hint="Without them no secret can be opened."
            ) from error
        return _parsed(content, path)

    def saved(self, path: Path) -> "Keyring":
        try:
            write_private(path, self.written())
        except OSError as error:
            raise _unwritable(path, error) from error
        return self

    def written(self) -> bytes:
        keys = {name: base64.b64encode(key).decode() for name, key in self.keys.items()}
        return orjson.dumps({"current": self.current, "keys": keys}, option=orjson.OPT_INDENT_2)

    def with_new_key(self) -> "Keyring":
        name = str(max(map(int, self.keys)) + 1)
        return Keyring(name, {**self.keys, name: secrets.token_bytes(_BYTES)})

    def without_old(self, needed: Collection[str]) -> "Keyring":
        """But for those that something is still sealed with."""
        return Keyring(self.current, {name: key for name, key in self.keys.items() if name in {self.current, *needed}})


def _create(path: Path, keyring: Keyring) -> None:
    """Unless another server did meanwhile."""
    try:
        with suppress(FileExistsError):
            create_private(path, keyring.written())
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> ConfigurationError:
    return ConfigurationError(
        f"The keys that seal secrets cannot be written to {path}: {error.strerror}.",
        hint="Give --keys FILE, in a directory of your own.",
    )


def _parsed(content: bytes, path: Path) -> Keyring:
    try:
        told = orjson.loads(content)
        keys = {name: base64.b64decode(key, validate=True) for name, key in told["keys"].items()}
        whole = told["current"] in keys and all(len(key) == _BYTES and name.isdigit() for name, key in keys.items())
    except (ValueError, KeyError, TypeError, AttributeError):
        whole, told, keys = False, {}, {}
    if not whole:
        raise ConfigurationError(
            f"{path} does not hold keys.", hint="Restore it from a backup: without it no secret can be opened."
        )
    return Keyring(told["current"], keys)
