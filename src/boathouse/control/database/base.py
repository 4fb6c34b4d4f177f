"""What every table has in common."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from sqlalchemy import JSON, DateTime, Dialect, Enum, MetaData, String, Table, TypeDecorator
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from boathouse.kit.ids import new_uuid

Json = dict[str, Any]
JSON_TYPE = JSON().with_variant(JSONB(), "postgresql")
ID_LENGTH = 36


def chosen_from(kind: type[StrEnum]) -> Enum:
    """One of a few words, kept as text: a new word needs no change of the table."""
    return Enum(kind, native_enum=False, length=20, values_callable=_values)


def _values(words: type[StrEnum]) -> list[str]:
    return [word.value for word in words]


class Moment(TypeDecorator[datetime]):
    """A point in time, always with its zone, always UTC: SQLite would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def result_processor(self, dialect: Dialect, coltype: object) -> "_MomentOf | None":
        """In one step, for a list has hundreds of them: SQLite has text without a zone, Postgres' driver all that is wanted."""
        del coltype
        return _moment_of_text if dialect.name == "sqlite" else None


class _MomentOf(Protocol):
    def __call__(self, value: Any) -> datetime | None: ...


def _moment_of_text(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value + "+00:00")


class Base(DeclarativeBase):
    # Named by rule, so that a migration can drop what another made.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Moment(),
        Json: JSON_TYPE,
        list[str]: JSON_TYPE,
        list[Any]: JSON_TYPE,
    }


def table_of(model: type[Base]) -> Table:
    """For statements about columns, which cost less than those about objects."""
    return model.metadata.tables[model.__tablename__]


def now() -> datetime:
    return datetime.now(UTC)


class Identified:
    """A row with an id that sorts by the time it was made."""

    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True, default=new_uuid)
    created_at: Mapped[datetime] = mapped_column(default=now)
