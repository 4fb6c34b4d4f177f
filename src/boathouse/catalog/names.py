"""What things in the catalog are called, and under which key the store keeps each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256

from boathouse.catalog.errors import BadRequest, IllegalArgument

LEVEL = "\x1f"
"""Between the levels of a namespace, as the REST specification has it."""
_TABLE = "\x1e"
"""Between a namespace and a table's name in a key. No name may hold it, so no two names share a key."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff\U0010ffff]")
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.=-]*")
# Object stores allow 1,024 bytes for a whole key, and a directory 255 for one name.
_LONGEST = 200
_LONGEST_NAMESPACE = 500


@dataclass(frozen=True, order=True)
class Namespace:
    levels: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(self.levels)

    @property
    def parent(self) -> "Namespace | None":
        return Namespace(self.levels[:-1]) if len(self.levels) > 1 else None

    @property
    def path(self) -> str:
        return "/".join(path_segment(level) for level in self.levels)


@dataclass(frozen=True, order=True)
class TableName:
    """A table's name or a view's: the two may not share one."""

    namespace: Namespace
    name: str

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        return f"{self.namespace}.{self.name}"


def namespace_of(levels: Sequence[object]) -> Namespace:
    """A namespace from what a request names, or a refusal."""
    if not levels:
        raise BadRequest("Invalid namespace: it has no levels")
    namespace = Namespace(tuple(_checked(level, "namespace") for level in levels))
    if len(str(namespace).encode()) > _LONGEST_NAMESPACE:
        raise IllegalArgument(f"Invalid namespace: longer than {_LONGEST_NAMESPACE} bytes")
    return namespace


def table_of(namespace: Namespace, name: object) -> TableName:
    return TableName(namespace, _checked(name, "table name"))


def view_of(namespace: Namespace, name: object) -> TableName:
    return TableName(namespace, _checked(name, "view name"))


def function_of(namespace: Namespace, name: object) -> TableName:
    return TableName(namespace, _checked(name, "function name"))


# Asked with every request, and most are about few namespaces.
@lru_cache(maxsize=1024)
def decode_namespace(text: str) -> Namespace:
    return namespace_of(text.split(LEVEL))


@lru_cache(maxsize=4096)
def decode_table(namespace: str, name: str) -> TableName:
    return table_of(decode_namespace(namespace), name)


def path_segment(name: str) -> str:
    """A directory name for `name`: itself where every store and client agrees on it, else a spelling of its own."""
    if _PLAIN.fullmatch(name):
        return name
    return f"{re.sub(r'[^A-Za-z0-9_]', '_', name)[:40]}-{sha256(name.encode()).hexdigest()[:8]}"


def namespace_key(warehouse: str, namespace: Namespace) -> str:
    return f"namespace/{warehouse}/{len(namespace.levels)}/{LEVEL.join(namespace.levels)}"


def children_prefix(warehouse: str, parent: Namespace | None) -> str:
    """The keys of the namespaces directly below `parent` start with this."""
    levels = parent.levels if parent else ()
    return f"namespace/{warehouse}/{len(levels) + 1}/" + "".join(level + LEVEL for level in levels)


def pointer_key(warehouse: str, kind: str, name: TableName) -> str:
    return pointers_prefix(warehouse, kind, name.namespace) + name.name


def pointers_prefix(warehouse: str, kind: str, namespace: Namespace) -> str:
    """The keys of a namespace's tables start with this, or those of its views."""
    return f"{kind}/{warehouse}/{LEVEL.join(namespace.levels)}{_TABLE}"


def location_key(warehouse: str, path: str) -> str:
    """The slash at the end makes the key of a place the prefix of the keys of all places inside it."""
    return f"location/{warehouse}/{path}/"


def is_location(key: str) -> bool:
    return key.startswith("location/")


def repeat_key(warehouse: str, key: str) -> str:
    return f"repeat/{warehouse}/{key}"


def plan_key(warehouse: str, plan_id: str) -> str:
    return f"plan/{warehouse}/{plan_id}"


def _checked(name: object, what: str) -> str:
    if not isinstance(name, str) or not name:
        raise BadRequest(f"Invalid {what}: {name!r} is not a name")
    if name in {".", ".."} or _CONTROL.search(name):
        raise IllegalArgument(f"Invalid {what}: {name!r} is a path, or holds control characters")
    if len(name.encode(errors="surrogatepass")) > _LONGEST:
        raise IllegalArgument(f"Invalid {what}: longer than {_LONGEST} bytes")
    return name
