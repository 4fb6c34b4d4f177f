"""Sealing a secret and opening it again."""

import base64
import secrets
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from boathouse.control.vault.keys import Keyring
from boathouse.kit.errors import ConfigurationError

Sealed = dict[str, str]
"""What may be kept: the name of the installation's key, the secret's own key under it, and the secret under that."""
_NONCE = 12


@dataclass(frozen=True)
class Vault:
    keyring: Keyring

    def seal(self, secret: str, belongs_to: str) -> Sealed:
        """`belongs_to` must be said again to open it, so that nobody can pass it off as another's."""
        own = AESGCM.generate_key(256)
        return {
            "key": self.keyring.current,
            "wrapped": _encrypt(self.keyring.keys[self.keyring.current], own, belongs_to),
            "secret": _encrypt(own, secret.encode(), belongs_to),
        }

    def open(self, sealed: Sealed, belongs_to: str) -> str:
        own = _decrypt(self._key(sealed), sealed["wrapped"], belongs_to)
        return _decrypt(own, sealed["secret"], belongs_to).decode()

    def rewrapped(self, sealed: Sealed, belongs_to: str) -> Sealed:
        """The same under the current key of the installation. The secret itself stays sealed."""
        own = _decrypt(self._key(sealed), sealed["wrapped"], belongs_to)
        current = self.keyring.current
        return {**sealed, "key": current, "wrapped": _encrypt(self.keyring.keys[current], own, belongs_to)}

    def _key(self, sealed: Sealed) -> bytes:
        key = self.keyring.keys.get(sealed["key"])
        if key is None:
            raise ConfigurationError(
                f"The key {sealed['key']} that sealed this secret is not in the keyring.",
                hint="Restore the file of keys, or give the secret again.",
            )
        return key


def _encrypt(key: bytes, content: bytes, belongs_to: str) -> str:
    nonce = secrets.token_bytes(_NONCE)
    return base64.b64encode(nonce + AESGCM(key).encrypt(nonce, content, belongs_to.encode())).decode()


def _decrypt(key: bytes, text: str, belongs_to: str) -> bytes:
    content = base64.b64decode(text)
    try:
        return AESGCM(key).decrypt(content[:_NONCE], content[_NONCE:], belongs_to.encode())
    except InvalidTag:
        raise ConfigurationError(
            "A sealed secret does not open: it was changed, or belongs to something else.",
            hint="Give the secret again.",
        ) from None
