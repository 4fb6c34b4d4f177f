"""What the server is told, by its environment alone: everybody can read a command line."""

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "EMBEDDED_CLICKHOUSE_"


class Options(BaseSettings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True)

    host: str = "127.0.0.1"
    port: int = Field(ge=0, le=65535)
    data: Path
    """The engine's directory. One process has it at a time."""
    user: str
    password: SecretStr
    database: str = "default"
    """Made if it is not there; what a query asks that names none."""
    memory_bytes: int = Field(default=4 << 30, ge=256 << 20)
    """What all queries together may take."""
    max_queries: int = Field(default=64, ge=1)
    """How many may run at once; each has a thread."""
    stop_seconds: float = Field(default=4, ge=0)
    """What a running query is given when the server is told to stop, before it is cancelled."""
