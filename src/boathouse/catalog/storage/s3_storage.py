"""A warehouse's S3 storage: where it is, with which keys the catalog reaches it, and what it gives to clients."""

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from boathouse.catalog.storage.sigv4 import Keys
from boathouse.kit.errors import ConfigurationError


class Vend(StrEnum):
    """What a client gets that asks for credentials. Remote signing is there for all of them."""

    NONE = "none"
    STS = "sts"
    """Keys that end by themselves and reach one table only, from the store's token service."""
    STATIC = "static"
    """The catalog's own keys: they reach all that the catalog reaches, and never end."""


@dataclass(frozen=True)
class S3Storage:
    bucket: str
    root: str
    """What every key of the warehouse begins with, without a slash at either end; may be empty."""
    region: str = "us-east-1"
    keys: Keys | None = None
    """None where the machine itself has a role: then nothing can be signed for clients."""
    endpoint: str | None = None
    """None is AWS."""
    client_endpoint: str | None = None
    """Where clients find the store, if that is elsewhere for them."""
    path_style: bool = True
    vend: Vend = Vend.NONE
    role_arn: str | None = None
    external_id: str | None = None
    sts_endpoint: str | None = None
    session_seconds: int = 3600
    outside_paths: bool = False
    """Whether a table may have files outside of its location, where write.data.path and write.metadata.path say."""

    def __post_init__(self) -> None:
        for name in ("endpoint", "client_endpoint", "sts_endpoint"):
            _check_endpoint(name, getattr(self, name))
        if not 900 <= self.session_seconds <= 43_200:
            raise ConfigurationError(
                f"Credentials cannot last {self.session_seconds} seconds.", hint="Choose from 900 to 43200."
            )
        if self.vend is not Vend.NONE and self.keys is None:
            raise ConfigurationError(
                f"vend = {self.vend.value!r} needs an access key and a secret key.", hint="Set both, or vend = 'none'."
            )
        if self.vend is Vend.STS and self.aws and not self.role_arn:
            raise ConfigurationError(
                "vend = 'sts' on AWS needs a role to assume.", hint="Set role_arn, or vend = 'none'."
            )

    @property
    def aws(self) -> bool:
        return self.endpoint is None

    def key(self, path: str) -> str:
        """The key of what lies at `path` in the warehouse."""
        return f"{self.root}/{path}" if self.root else path

    @property
    def token_service(self) -> str:
        return self.sts_endpoint or self.endpoint or f"https://sts.{self.region}.amazonaws.com"

    def client_properties(self) -> dict[str, str]:
        """What a client has to know to find the store, in the names that Java's and Python's libraries use."""
        endpoint = self.client_endpoint or self.endpoint
        found = {"s3.endpoint": endpoint} if endpoint else {}
        region = {"client.region": self.region, "s3.region": self.region}
        return {**found, **region, "s3.path-style-access": "true" if self.path_style else "false"}

    def path_origins(self) -> frozenset[str]:
        """Scheme and host of URLs whose path begins with the bucket."""
        endpoint = self.client_endpoint or self.endpoint
        if endpoint:
            return frozenset({endpoint.rstrip("/")})
        return frozenset({f"https://s3.{self.region}.amazonaws.com", "https://s3.amazonaws.com"})

    def bucket_origins(self) -> frozenset[str]:
        """Scheme and host of URLs whose host begins with the bucket.

        A store that knows buckets by the path alone would take the first part of the key for another bucket.
        """
        if self.path_style and not self.aws:
            return frozenset()
        return frozenset(origin.replace("://", f"://{self.bucket}.", 1) for origin in self.path_origins())


def _check_endpoint(name: str, url: str | None) -> None:
    if url is None:
        return
    parts = urlsplit(url)
    extra = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in {"http", "https"} or not parts.netloc or extra:
        raise ConfigurationError(f"{name} is not the URL of a server.", hint="Write it as https://host:port.")
