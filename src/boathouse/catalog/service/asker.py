"""On whose behalf something is done, where that decides more than whether it is done at all."""

from collections.abc import Callable
from dataclasses import dataclass

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.names import Namespace, TableName


@dataclass(frozen=True)
class Asker:
    warehouse: str
    allowed: Callable[[Privilege, Securable], bool]

    @property
    def manages(self) -> bool:
        """Whether the whole warehouse is theirs, and so every place and every name in it."""
        return self.allowed(Privilege.MANAGE, Securable(self.warehouse))

    def writes(self, name: TableName) -> bool:
        return self.allowed(Privilege.WRITE, Securable.of_table(self.warehouse, name))

    def creates_in(self, namespace: Namespace) -> bool:
        return self.allowed(Privilege.CREATE, Securable.of_namespace(self.warehouse, namespace))

    def sees(self, name: TableName) -> bool:
        return self.allowed(Privilege.LIST, Securable.of_table(self.warehouse, name))
