"""A table in the catalog whose manifests a test writes itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.behaviour.catalog.http_catalog import HttpCatalog, commit, table_path
from tests.manifest_files import DATA, Field, File, Json, Listed, manifest, manifest_list

SCHEMA: Json = {
    "type": "struct",
    "fields": [
        {"id": 1, "name": "id", "required": True, "type": "long"},
        {"id": 2, "name": "Name", "required": False, "type": "string"},
        {"id": 3, "name": "day", "required": False, "type": "date"},
    ],
}
BY_DAY: Json = {"spec-id": 0, "fields": [{"name": "day", "transform": "identity", "source-id": 3, "field-id": 1000}]}
DAY = Field("day", {"type": "int", "logicalType": "date"})


@dataclass
class ScannedTable:
    lake: HttpCatalog
    directory: Path
    uri: str
    fields: Sequence[Field] = ()
    snapshots: int = 0

    @classmethod
    async def create(
        cls,
        lake: HttpCatalog,
        name: str = "t",
        spec: Json | None = None,
        namespace: Sequence[str] = ("ns",),
        **request: Any,
    ) -> "ScannedTable":
        body: Any = {"schema": SCHEMA, "partition-spec": spec, **request}
        metadata = (await lake.table(name, namespace, **body))["metadata"]
        directory = Path(metadata["location"].removeprefix("file://"))
        (directory / "metadata").mkdir(parents=True, exist_ok=True)
        fields = (DAY,) if spec else ()
        return cls(lake, directory, table_path(name, *namespace), fields)

    def manifest(self, *files: File, content: int = DATA, **listed: Any) -> Listed:
        written = manifest(files, self.fields)
        path = self.directory / "metadata" / f"m{len(list(self.directory.rglob('*.avro')))}.avro"
        path.write_bytes(written)
        live = sum(file.rows for file in files)
        entry = Listed(f"file://{path}", len(written), content, files=len(files), rows=live, **listed)
        return (
            entry if "sequence" in listed else replace(entry, sequence=self.snapshots + 1, snapshot=self.snapshots + 1)
        )

    async def snapshot(self, *manifests: Listed, operation: str = "append", **more: Any) -> int:
        """Commit a snapshot of these manifests to main, and say its id."""
        parent, self.snapshots = self.snapshots, self.snapshots + 1
        path = self.directory / "metadata" / f"snap-{self.snapshots}.avro"
        path.write_bytes(manifest_list(manifests))
        snapshot: Json = {
            "snapshot-id": self.snapshots,
            "sequence-number": self.snapshots,
            "timestamp-ms": 1_700_000_000_000 + self.snapshots,
            "manifest-list": f"file://{path}",
            "summary": {"operation": operation},
            "schema-id": 0,
            **more,
        }
        snapshot |= {"parent-snapshot-id": parent} if parent else {}
        main = {"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": self.snapshots}
        await self.lake.ok("POST", self.uri, commit({"action": "add-snapshot", "snapshot": snapshot}, main))
        return self.snapshots

    async def plan(self, **request: Any) -> Json:
        asked = {name.replace("_", "-"): value for name, value in request.items()}
        return await self.lake.ok("POST", f"{self.uri}/plan", asked)

    async def paths(self, **request: Any) -> list[str]:
        """The names of the files that a scan is to read, its plan tasks fetched."""
        plan = await self.plan(**request)
        tasks = list(plan.get("file-scan-tasks", []))
        for task in plan.get("plan-tasks", []):
            tasks += (await self.fetch(task))["file-scan-tasks"]
        return [name_of(task["data-file"]) for task in tasks]

    async def fetch(self, plan_task: str) -> Json:
        return await self.lake.ok("POST", f"{self.uri}/tasks", {"plan-task": plan_task})


def name_of(file: Json) -> str:
    return file["file-path"].rpartition("/")[2]
