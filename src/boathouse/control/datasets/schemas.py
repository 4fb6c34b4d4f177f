"""Datasets as they are told and as they are given."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

DatasetName = Annotated[
    str,
    # Parts between dots. A slash would end the name in an address.
    StringConstraints(pattern=r"^[^./\x00-\x1f\x7f]+(\.[^./\x00-\x1f\x7f]+)+$", max_length=300),
]
Tag = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_:.-]{0,49}$")]
Owner = Annotated[str, StringConstraints(max_length=100)]


class Format(StrEnum):
    ICEBERG = "iceberg"
    PARQUET = "parquet"
    CSV = "csv"
    JSON = "json"
    ORC = "orc"
    AVRO = "avro"
    DELTA = "delta"
    TEXT = "text"
    OTHER = "other"


class NewDataset(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: DatasetName
    format: Format = Format.ICEBERG
    location: str = Field(default="", max_length=2000, description="Where its files are, as s3://…")
    owner: Owner | None = Field(default=None, description="Whoever registers it, if left out.")
    description: str = Field(default="", max_length=2000)
    tags: list[Tag] = Field(default_factory=list, max_length=50)
    connection: str | None = Field(default=None, max_length=60, description="The Iceberg catalog that it is in.")

    @model_validator(mode="after")
    def _catalogs_hold_iceberg(self) -> Self:
        if self.connection is not None and self.format is not Format.ICEBERG:
            raise ValueError("only a table of the format iceberg is in a catalog")
        return self


class DatasetChange(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    owner: Owner | None = None
    description: str | None = Field(default=None, max_length=2000)
    tags: list[Tag] | None = Field(default=None, max_length=50)
    location: str | None = Field(default=None, max_length=2000)


class DatasetTold(BaseModel):
    id: str
    name: str
    format: str
    location: str
    owner: str
    description: str
    tags: list[str]
    catalog: str | None
    """`lake`, or `connection NAME`; None if nobody says where its table is."""
    columns: list[str]
    rows: int | None
    files: int | None
    bytes: int | None
    """As of the last sync, as the columns are."""
    committed_at: datetime | None
    gone_at: datetime | None
    """Since when a sync no longer finds it."""
    created_at: datetime
    updated_at: datetime


class GroupCount(BaseModel):
    name: str
    datasets: int


class Groups(BaseModel):
    """How the datasets of a workspace fall into namespaces and under tags."""

    datasets: int
    namespaces: list[GroupCount]
    """By name, such as `sales.eu`; each with those directly in it."""
    tags: list[GroupCount]


class SyncWanted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    connection: str | None = Field(
        default=None, max_length=60, description="An Iceberg REST catalog. The lakehouse's own, if left out."
    )


class LeftOut(BaseModel):
    name: str
    why: str


class Synced(BaseModel):
    """What a sync found, by what became of it."""

    found: int
    added: int
    changed: int
    renamed: int
    returned: int
    """Was gone, and is there again."""
    unchanged: int
    gone: int
    left_out: list[LeftOut]
    """At most a hundred of them."""
