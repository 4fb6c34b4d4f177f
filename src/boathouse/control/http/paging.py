"""Lists come in pages: `limit` rows after `cursor`, and the cursor of the next page if there is one."""

from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import BaseModel

Item = TypeVar("Item")
MOST = 500
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
Cursor = Annotated[str | None, Query(max_length=100, description="`next` of the page before.")]

IdCursor = Annotated[
    str | None, Query(pattern=r"^[0-9a-f-]{36}$", description="`next` of the page before: the id of its last row.")
]


class Page(BaseModel, Generic[Item]):
    items: list[Item]
    next: str | None = None
