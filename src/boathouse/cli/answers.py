"""The control plane's answers on standard output: a few columns for people, all that was told for programs."""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, TypeVar

from pydantic import BaseModel

from boathouse.cli.output import Format, document, facts, listing, write

One = TypeVar("One", bound=BaseModel)
Columns = Mapping[str, str | Callable[[One], Any]]
"""What stands above a column, and which field stands in it, or what is made of the whole."""


def show_all(found: Iterable[One], kind: type[One], columns: Columns[One], *, as_json: bool) -> None:
    if as_json:
        write(list(kind.model_fields), (list(one.model_dump().values()) for one in found), Format.JSON)
        return
    take = [attrgetter(field) if isinstance(field, str) else field for field in columns.values()]
    listing(list(columns), ([value(one) for value in take] for one in found), as_json=False)


def show_one(one: BaseModel, pairs: Iterable[tuple[str, Any]], *, as_json: bool) -> None:
    if as_json:
        document(one.model_dump(mode="json"))
    else:
        facts(pairs)
