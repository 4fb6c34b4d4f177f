"""Guarded catalogs whose warehouse is on S3, as far as clients can tell: its files lie in a directory."""

from pathlib import Path
from typing import Any

from boathouse.catalog.service.catalog import Catalog
from boathouse.catalog.storage.s3_storage import S3Storage
from boathouse.catalog.storage.sigv4 import Keys
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.objects import open_store
from tests.behaviour.catalog.guarded_catalog import GuardedCatalog
from tests.behaviour.catalog.http_catalog import Json, table_path

STORE = "http://store:8333"
KEYS = Keys("catalogs-key", "catalogs-secret")
SIGNING = {"X-Iceberg-Access-Delegation": "remote-signing"}
VENDED = {"X-Iceberg-Access-Delegation": "vended-credentials"}


class S3Catalog(GuardedCatalog):
    def __init__(self, directory: Path, **storage: Any) -> None:
        super().__init__(directory)
        options: Json = {"bucket": "bucket", "root": "wh", "keys": KEYS, "endpoint": STORE, **storage}
        s3 = S3Storage(**options)
        warehouse = Warehouse.at("lake", f"s3://{s3.bucket}/{s3.root}", open_store(self.url), s3)
        self.catalog = Catalog.over(self.store, warehouse)
        self.app.state.catalogs = {"lake": self.catalog}

    async def sign(
        self, method: str, target: str, table: str = "t", status: int = 200, query: str = "", **more: Any
    ) -> Json:
        """Ask for a signature, for what lies in the store at `target`."""
        body = {"region": "us-east-1", "method": method, "uri": f"{STORE}/{target}", "headers": {}, **more}
        response = await self.call("POST", f"{table_path(table)}/sign{query}", body)
        assert response.status_code == status, response.text
        return response.json() if status == 200 else response.json()["error"]
