"""The catalog on etcd, twice: servers hold no state, so any of them may answer anything."""

from collections.abc import Iterable

from boathouse.kit.settings import Settings
from boathouse.stack.ports import LOOPBACK, PortWish
from boathouse.stack.services.catalog import Catalog
from boathouse.stack.services.etcd import MEMBERS, store_address


class ReplicatedCatalog(Catalog):
    """The one that clients of this lakehouse are told of."""

    # Not needed to start: a catalog that ended while a member is down must come back.
    uses = ("object-store", *MEMBERS)

    def store(self) -> str:
        return store_address(self.site.ports)


class SecondCatalog(ReplicatedCatalog):
    name = "catalog-2"

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        del settings
        yield PortWish(cls.name, 8281)

    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.site.ports[self.name]}"
