"""What Spark wrote down of how far a hop has come: read here, and thrown away where its table has something else."""

import json
from dataclasses import dataclass
from functools import cached_property

import obstore

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.errors import NotFound, WorkFailed
from boathouse.kit.objects import Store, storage_errors
from boathouse.pipelines.ingest.discovery import s3_object
from boathouse.pipelines.stream.offsets import Offsets


@dataclass(frozen=True)
class Checkpoint:
    store: ObjectStoreAccess
    directory: str
    """Below the bucket."""

    def end_of(self, batch: int) -> Offsets:
        """As Spark wrote it before the batch began."""
        lines = self._read(f"offsets/{batch}").splitlines()
        if len(lines) < 3:
            raise WorkFailed(f"{self._url(f'offsets/{batch}')} does not say where the batch ends.")
        return json.loads(lines[2])

    def beginning_of(self, batch: int) -> Offsets:
        return self.end_of(batch - 1) if batch else self.first()

    def first(self) -> Offsets:
        """Where its first batch began. Spark puts a zero and its version before it."""
        return json.loads(self._read("sources/0/0").partition("\n")[2])

    def goes_on_at(self) -> Offsets | None:
        """Where the next batch begins; None where there is none that anybody can go on from."""
        opened, key = self._open("commits/")
        with storage_errors(self._url("commits")):
            names = [one["path"].rpartition("/")[2] for page in obstore.list(opened, key) for one in page]
        try:
            return self.beginning_of(max((int(name) for name in names if name.isdecimal()), default=-1) + 1)
        except NotFound:
            return None

    def drop(self) -> None:
        opened, key = self._open("")
        with storage_errors(self._url("")):
            for page in obstore.list(opened, key):
                obstore.delete(opened, [one["path"] for one in page])

    def _read(self, name: str) -> str:
        opened, key = self._open(name)
        with storage_errors(self._url(name)):
            return bytes(obstore.get(opened, key).bytes()).decode()

    @cached_property
    def _opened(self) -> Store:
        """Once: each has connections of its own, and every batch reads."""
        return s3_object(self._url(""), self.store)[0]

    def _open(self, name: str) -> tuple[Store, str]:
        return self._opened, f"{self.directory}/{name}"

    def _url(self, name: str) -> str:
        return f"s3://{self.store.bucket}/{self.directory}/{name}"
