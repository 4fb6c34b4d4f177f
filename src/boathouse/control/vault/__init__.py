"""Secrets at rest: sealed with a key of their own each, which is sealed with the installation's key.

So the installation's key can be changed without touching a secret, and no secret is in the database in clear.
"""

from boathouse.control.vault.keys import Keyring
from boathouse.control.vault.seal import Vault

__all__ = ["Keyring", "Vault"]
