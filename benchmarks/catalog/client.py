"""A client of a REST catalog."""

import re
from collections.abc import Sequence
from typing import Self

from benchmarks.plain_http import Json, PlainClient

_NEXT_PAGE = re.compile(rb'"next-page-token"\s*:\s*"([^"]+)"')
SCHEMA: Json = {
    "type": "struct",
    "schema-id": 0,
    "fields": [
        {"id": 1, "name": "id", "required": True, "type": "long"},
        {"id": 2, "name": "at", "required": False, "type": "timestamptz"},
        {"id": 3, "name": "name", "required": False, "type": "string"},
        {"id": 4, "name": "amount", "required": False, "type": "decimal(10, 2)"},
    ],
}


class Client(PlainClient):
    def __init__(self, uri: str, warehouse: str | None, headers: dict[str, str]) -> None:
        super().__init__(uri, headers)
        self.warehouse = warehouse
        asked = f"/v1/config?warehouse={warehouse}" if warehouse else "/v1/config"
        config = self.call("GET", self.root + asked)
        prefix = {**config["defaults"], **config["overrides"]}.get("prefix")
        self._base = f"{self.root}/v1/{prefix}" if prefix else f"{self.root}/v1"

    def again(self) -> Self:
        return type(self)(self.uri, self.warehouse, self.headers)

    def create_namespace(self, name: str) -> None:
        self.call("POST", f"{self._base}/namespaces", {"namespace": [name], "properties": {}})

    def create(self, namespace: str, table: str) -> None:
        # Iceberg's own client always says whether it stages, and Nessie refuses a request that does not.
        body: Json = {"name": table, "schema": SCHEMA, "stage-create": False}
        self.timed("POST", f"{self._base}/namespaces/{namespace}/tables", body)

    def load(self, namespace: str, table: str) -> None:
        self.timed("GET", self._table(namespace, table))

    def snapshots(self, namespace: str, table: str) -> int:
        return len(self.call("GET", self._table(namespace, table))["metadata"]["snapshots"])

    def commit(self, namespace: str, table: str, updates: Sequence[Json], requirements: Sequence[Json] = ()) -> None:
        self.timed(
            "POST", self._table(namespace, table), {"requirements": list(requirements), "updates": list(updates)}
        )

    def list(self, namespace: str) -> int:
        """How many tables there are, by as many pages as the server makes of them."""
        found, query = 0, ""
        while True:
            page = self.exchange("GET", f"{self._base}/namespaces/{namespace}/tables{query}")
            found += page.count(b'"name"')
            token = _NEXT_PAGE.search(page)
            if token is None:
                return found
            query = f"?pageToken={token[1].decode()}"

    def _table(self, namespace: str, table: str) -> str:
        return f"{self._base}/namespaces/{namespace}/tables/{table}"
