"""The Iceberg REST catalog, on a SQLite file in the home."""

import sys
from collections.abc import Iterable

import httpx

from boathouse.kit.settings import WAREHOUSE_PREFIX, Settings
from boathouse.stack.ports import LOOPBACK, PortWish
from boathouse.stack.service import Impaired, NotReady, Service


class Catalog(Service):
    name = "catalog"
    uses = ("object-store",)

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        yield PortWish(cls.name, 8181, settings.catalog.port, "catalog.port")

    def address(self) -> str:
        return self.site.lake.catalog.uri

    def prepare(self) -> None:
        self.site.home.data(self.name).mkdir(parents=True, exist_ok=True)

    def store(self) -> str:
        """Where it keeps its state, as `--store` takes it."""
        return f"sqlite:///{self.site.home.data(self.name) / 'catalog.db'}"

    def command(self) -> list[str]:
        lake = self.site.lake
        return [
            *(sys.executable, "-m", "boathouse.catalog"),
            *("--host", LOOPBACK),
            *("--port", str(self.site.ports[self.name])),
            *("--store", self.store()),
            *("--warehouse", f"{lake.catalog.warehouse}=s3://{lake.object_store.bucket}/warehouse"),
        ]

    def environment(self) -> dict[str, str]:
        lake = self.site.lake
        # SeaweedFS can give keys that reach one table only; what another store can do, its owner has to say.
        vend = "sts" if self.site.settings.object_store.endpoint is None else ""
        return {
            f"{WAREHOUSE_PREFIX}{lake.catalog.warehouse.upper()}_VEND": vend,
            "BOATHOUSE_CATALOG_TOKEN": lake.catalog.token.get_secret_value(),
            "AWS_ENDPOINT_URL": lake.object_store.endpoint,
            "AWS_REGION": lake.object_store.region,
            "AWS_ACCESS_KEY_ID": lake.object_store.access_key.get_secret_value(),
            "AWS_SECRET_ACCESS_KEY": lake.object_store.secret_key.get_secret_value(),
        }

    def check(self) -> None:
        try:
            response = httpx.get(f"{self.address()}/readyz", timeout=5, trust_env=False)
        except httpx.HTTPError as error:
            raise NotReady(f"no answer yet ({type(error).__name__})") from error
        if not response.is_success:
            # It answers, but its store or its storage does not: starting it again would not help.
            raise Impaired(f"not ready: {response.text[:300]}")
