"""A warehouse: a name and the place in object storage under which all of its tables lie."""

from dataclasses import dataclass

from boathouse.catalog.errors import IllegalArgument
from boathouse.catalog.storage.s3_storage import S3Storage
from boathouse.kit.errors import InvalidInput
from boathouse.kit.objects import Store, canonical_url, check_plain, path_below, shown

# Object stores allow 1,024 bytes for a whole key, and a directory 255 for one name.
_LONGEST = 1024
_LONGEST_PART = 255


@dataclass(frozen=True)
class Warehouse:
    name: str
    root: str
    """In its one spelling, without a slash at the end."""
    objects: Store
    storage: S3Storage | None = None
    """What clients may be given to reach it; None for a directory."""

    @classmethod
    def at(cls, name: str, url: str, objects: Store, storage: S3Storage | None = None) -> "Warehouse":
        return cls(name, canonical_url(url), objects, storage)

    def path(self, url: str) -> str:
        """Where `url` lies below the root; a refusal if it does not."""
        try:
            path = path_below(self.root, url)
        except InvalidInput as error:
            raise IllegalArgument(str(error), hint=error.hint) from error
        if not path:
            raise IllegalArgument(f"Location {shown(url)} is not inside the warehouse {self.root}")
        self._check_length(path)
        return path

    def new_path(self, url: str) -> str:
        """The same for a place that nobody has yet, which must also be one that every client and store agrees on."""
        try:
            check_plain(url)
        except InvalidInput as error:
            raise IllegalArgument(str(error), hint=error.hint) from error
        return self.path(url)

    def url(self, path: str) -> str:
        return f"{self.root}/{path}"

    def _check_length(self, path: str) -> None:
        """Storage would refuse it too, but as if it had failed, and clients would ask again and again."""
        parts = path.split("/") if self.root.startswith("file:") else ()
        if len(path.encode()) > _LONGEST or any(len(part.encode()) > _LONGEST_PART for part in parts):
            raise IllegalArgument(f"Location {path[:100]}… is longer than storage can hold")
