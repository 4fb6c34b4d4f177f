"""What may be granted, and what each grant brings with it."""

from enum import StrEnum


class Privilege(StrEnum):
    LIST = "list"
    """To see that it is there."""
    READ = "read"
    """To load it; for a namespace, its properties and all that lies in it."""
    WRITE = "write"
    """To change it, rename it away and drop it."""
    CREATE = "create"
    """To create something directly or further down inside it."""
    MANAGE = "manage"
    """All of these, and to delete a table's files with it."""


# Whoever may do anything with a thing may know that it is there: a refusal to list it would only hide it from its users.
_BRINGS = {
    Privilege.LIST: frozenset({Privilege.LIST}),
    Privilege.READ: frozenset({Privilege.READ, Privilege.LIST}),
    Privilege.WRITE: frozenset({Privilege.WRITE, Privilege.READ, Privilege.LIST}),
    Privilege.CREATE: frozenset({Privilege.CREATE, Privilege.LIST}),
    Privilege.MANAGE: frozenset(Privilege),
}


def brought_by(privilege: Privilege) -> frozenset[Privilege]:
    return _BRINGS[privilege]
