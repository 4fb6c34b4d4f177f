"""The file of a result in storage, of which only the parts that are wanted are read."""

import io
from typing import Any

import obstore

from boathouse.kit.objects import Store


class ObjectReader(io.RawIOBase):
    """An object as a file that is read at any place, each read a request for so many bytes."""

    def __init__(self, store: Store, path: str) -> None:
        super().__init__()
        self._store = store
        self._path = path
        self._size = obstore.head(store, path)["size"]
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def readinto(self, buffer: Any) -> int:
        end = min(self._at + len(buffer), self._size)
        if end <= self._at:
            return 0
        found = obstore.get_range(self._store, self._path, start=self._at, end=end)
        buffer[: len(found)] = found
        self._at += len(found)
        return len(found)


def open_parquet(store: Store, path: str) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Neighbouring columns are fetched together: otherwise a hundred of them would be a hundred requests.
    return pq.ParquetFile(pa.PythonFile(ObjectReader(store, path), mode="r"), pre_buffer=True)
