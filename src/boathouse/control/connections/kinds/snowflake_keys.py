"""Logging in to Snowflake with a key pair: a short-lived token, signed with the private key."""

import base64
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from boathouse.kit.errors import InvalidInput

# Snowflake takes up to an hour; a test is over in seconds, and clocks differ.
_LIFETIME = timedelta(minutes=5)


def signed_login(account: str, user: str, key: str, passphrase: str | None) -> str:
    private = _loaded(key, passphrase)
    # The region that may stand behind an account's name is no part of it here.
    name = f"{account.partition('.')[0].upper()}.{user.upper()}"
    now = datetime.now(UTC)
    claims = {"iss": f"{name}.{fingerprint(private)}", "sub": name, "iat": now, "exp": now + _LIFETIME}
    return jwt.encode(claims, private, algorithm="RS256")


def fingerprint(key: RSAPrivateKey) -> str:
    """As `DESC USER` shows it."""
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"SHA256:{base64.b64encode(sha256(public).digest()).decode()}"


def _loaded(key: str, passphrase: str | None) -> RSAPrivateKey:
    try:
        private = load_pem_private_key(key.encode(), passphrase.encode() if passphrase else None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        # Not the library's words: nothing of the key may be in the message.
        raise InvalidInput(
            "The private key cannot be read.", hint="Give it as PEM, with its passphrase if it is encrypted."
        ) from error
    if not isinstance(private, RSAPrivateKey):
        raise InvalidInput("The private key is not an RSA key.", hint="Snowflake takes RSA keys of 2048 bits or more.")
    return private
