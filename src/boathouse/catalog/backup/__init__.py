"""The catalog's whole state in one file, to be kept or to be moved to another store. Data and metadata files stay where they are."""

from boathouse.catalog.backup.checking import missing_files
from boathouse.catalog.backup.exporting import export_store
from boathouse.catalog.backup.importing import import_backup
from boathouse.catalog.backup.reading import verified
from boathouse.catalog.backup.summary import Summary
from boathouse.catalog.backup.whole import WholeStore

__all__ = ["Summary", "WholeStore", "export_store", "import_backup", "missing_files", "verified"]
