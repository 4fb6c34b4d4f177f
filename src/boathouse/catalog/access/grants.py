"""Whether something is allowed: a pure function of what was granted."""

from collections.abc import Iterable
from dataclasses import dataclass

from boathouse.catalog.access.privileges import Privilege, brought_by
from boathouse.catalog.access.securables import Securable


@dataclass(frozen=True, order=True)
class Grant:
    securable: Securable
    privilege: Privilege


class Grants:
    """What one principal was granted, laid out to be asked on every request. What was not granted is denied."""

    def __init__(self, grants: Iterable[Grant] = ()) -> None:
        self._held: dict[Securable, frozenset[Privilege]] = {}
        self._on_the_way: set[Securable] = set()
        for grant in grants:
            held = self._held.get(grant.securable, frozenset())
            self._held[grant.securable] = held | brought_by(grant.privilege)
            self._on_the_way.update(grant.securable.above())

    def allow(self, privilege: Privilege, securable: Securable) -> bool:
        """Granted on it, or on what it lies in. What leads to something granted may be listed, to get there."""
        if self.inherit(privilege, securable):
            return True
        return privilege is Privilege.LIST and securable in self._on_the_way

    def inherit(self, privilege: Privilege, securable: Securable) -> bool:
        """Allowed in a way that holds for everything inside it too."""
        if privilege in self._held.get(securable, ()):
            return True
        return any(privilege in self._held.get(above, ()) for above in securable.above())
