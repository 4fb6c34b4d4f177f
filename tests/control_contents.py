"""A workspace with one of everything, to be asked for by those whose it is and by those whose it is not."""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

Json = Any
MARK = "heron"
"""In all that is said in the workspace that somebody is no member of. Not in its names: those are repeated to who asks."""


@dataclass(frozen=True)
class Wish:
    method: str
    path: str
    body: Json = None


@dataclass
class Contents:
    """What is in a workspace. The thing of a noun is called by the word and the noun, such as `far-jobs`."""

    workspace: str
    word: str
    says: str = "open"
    """What descriptions and the like hold."""
    ids: dict[str, str] = field(default_factory=dict[str, str])
    """Of what has no name, by how it is called in an address."""

    def wishes(self) -> Generator[Wish, Json]:
        """What to ask for to have it, one after another; each is sent the answer to it."""
        word, says, at = self.word, self.says, f"/workspaces/{self.workspace}"
        noted = [{"name": "note", "default": says}]
        sql = {"kind": "sql", "spec": {"sql": f"SELECT '{says}'"}, "description": says, "parameters": noted}
        yield Wish("PUT", f"{at}/jobs/{word}-jobs", sql)
        source = {"path": f"s3://lake/{says}.csv", "format": "csv"}
        pipeline = {"pipeline": f"{word}-pipelines", "source": source, "target": {"table": f"{word}.orders"}}
        spec = {"kind": "pipeline", "spec": {"pipeline": pipeline}, "description": says}
        yield Wish("PUT", f"{at}/jobs/{word}-pipelines", spec)
        hook = {"config": {"url": f"http://127.0.0.1:1/{says}"}, "secrets": {"secret": "d2hzZWNyZXRzZWNyZXRzZWNyZXQ="}}
        yield Wish("POST", f"{at}/connections", {"name": f"{word}-connections", "kind": "webhook", **hook})
        yield Wish("POST", f"{at}/connections", {"name": f"{word}-hook", "kind": "webhook", **hook})
        rule = {"name": f"{word}-notifications", "connection": f"{word}-hook", "description": says}
        yield Wish("POST", f"{at}/notifications", rule)
        yield Wish("POST", f"{at}/datasets", {"name": f"{word}.datasets", "owner": says, "description": says})
        saved = {"sql": f"SELECT '{says}'", "description": says}
        yield Wish("PUT", f"{at}/saved-queries/{word}-saved-queries", saved)
        yield Wish("POST", f"{at}/lineage", self._event())
        run = yield Wish("POST", f"{at}/jobs/{word}-jobs/runs", {})
        # What is over tells all there is of it at once: what follows it would wait for more.
        yield Wish("POST", f"{at}/runs/{run['id']}/stop")
        query = yield Wish("POST", f"{at}/queries", {"sql": f"SELECT '{says}'"})
        yield Wish("POST", f"{at}/queries/{query['id']}/cancel")
        token = yield Wish("POST", "/tokens", {"name": says})
        self.ids |= {"run_id": run["id"], "query_id": query["id"], "token_id": token["id"]}
        self.ids |= {"query_run_id": query["run_id"], "number": "1", "reject": "0" * 32}

    def _event(self) -> Json:
        return {
            "eventType": "COMPLETE",
            "eventTime": "2026-02-01T12:00:00Z",
            "run": {"runId": "01941f29-7c00-7aaa-8aaa-" + self.word.encode().hex()[:10].ljust(12, "0")},
            "job": {"namespace": self.says, "name": f"{self.word}-told"},
            "inputs": [{"namespace": self.says, "name": f"{self.word}-read"}],
            "outputs": [{"namespace": self.says, "name": f"{self.word}-written"}],
            "producer": "https://example.org/x",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        }

    def parameters(self, template: str) -> dict[str, str]:
        """What stands in the places of an address, such as `…/jobs/{name}`, to mean what is in here."""
        given = {place: value for place, value in self.ids.items() if f"{{{place}}}" in template}
        if "{name}" in template:
            noun = template.partition("/{name}")[0].rpartition("/")[2]
            given["name"] = f"{self.word}.{noun}" if noun == "datasets" else f"{self.word}-{noun}"
        return given | ({"workspace": self.workspace} if "{workspace}" in template else {})
