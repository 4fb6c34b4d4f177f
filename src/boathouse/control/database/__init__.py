"""The control plane's database: SQLite in a file, or Postgres. Nothing above asks which."""

from boathouse.control.database.database import Database, open_database
from boathouse.control.database.migrate import migrate

__all__ = ["Database", "migrate", "open_database"]
