"""The table of identities."""

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from boathouse.control.database.base import ID_LENGTH, Base, Identified


class Identity(Identified, Base):
    """Who a user is at a provider: never more than one user for a subject."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    user_id: Mapped[str] = mapped_column(String(ID_LENGTH), ForeignKey("users.id", ondelete="CASCADE"), index=True)
    issuer: Mapped[str] = mapped_column(String(500))
    subject: Mapped[str] = mapped_column(String(255))
