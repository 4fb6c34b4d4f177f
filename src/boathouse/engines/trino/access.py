"""How a coordinator is reached, and as whom."""

from dataclasses import dataclass

from pydantic import SecretStr


@dataclass(frozen=True)
class TrinoAccess:
    address: str
    """Such as https://trino.example.org:8443."""
    user: str
    catalog: str | None = None
    password: SecretStr | None = None
    token: SecretStr | None = None
    """A JSON web token; it goes before a password."""
