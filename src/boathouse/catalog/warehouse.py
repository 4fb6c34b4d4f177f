"""A warehouse: a name and the place in object storage under which all of its tables lie."""

from dataclasses import dataclass

from boathouse.catalog.errors import IllegalArgument
from boathouse.catalog.storage.s3_storage import S3Storage
from boathouse.kit.errors import InvalidInput
from boathouse.kit.objects import Store, canonical_url, check_new_place, path_below, shown


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
        return path

    def new_path(self, url: str) -> str:
        """The same for a place that nobody has yet, which must also be one that every client and store agrees on."""
        path = self.path(url)
        try:
            check_new_place(url, path)
        except InvalidInput as error:
            raise IllegalArgument(str(error), hint=error.hint) from error
        return path

    def url(self, path: str) -> str:
        return f"{self.root}/{path}"
