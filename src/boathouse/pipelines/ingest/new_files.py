"""Which files are new: those whose content the loads table does not know yet."""

from dataclasses import dataclass

from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.catalog_client import CatalogClient
from boathouse.kit.errors import Conflict, WorkFailed
from boathouse.kit.relations import LOADS_SUFFIX
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.discovery import current_version, discover, refuse_compressed
from boathouse.pipelines.ingest.scan import ScannedFile, scan_all
from boathouse.pipelines.ingest.staging import StagedTable, main_snapshot

# How many known fingerprints go into one question to the loads table.
FINGERPRINTS_ASKED = 500


@dataclass(frozen=True)
class NewFiles:
    files: list[ScannedFile]
    """Each content once, in the order of their names."""
    skipped: int
    """How many others were found."""
    loads_version: int | None
    """The snapshot of the loads table that was asked, or a later one."""


def find_new_files(context: LoadContext, client: CatalogClient) -> NewFiles:
    context.say("looking for files")
    loads = client.find_table(context.target.beside(LOADS_SUFFIX))
    version = main_snapshot(loads.metadata) if loads else None
    found = discover(context.spec.source.path, context.base, context.store)
    refuse_compressed(found, context.spec.source.format)
    context.say(f"fingerprinting {len(found)} file{'s' if len(found) > 1 else ''}")
    # An ETag follows the content, so a known one spares the download; a file on disk is always read.
    known = _known(context, client, "version", [file.version for file in found if file.version and not file.is_local])
    candidates = [file for file in found if context.again or file.is_local or file.version not in known]
    scanned = scan_all(candidates, context.store, quote=context.spec.source.csv.quote)
    by_content = {file.sha256: file for file in reversed(scanned)}
    loaded = _known(context, client, "sha256", list(by_content))
    if context.again:
        loaded = set[str]()
    new = sorted((file for file in by_content.values() if file.sha256 not in loaded), key=lambda file: file.file.url)
    return NewFiles(new, len(found) - len(new), version)


def refuse_overtaken(new: NewFiles, loads: StagedTable) -> None:
    """Conflict if another load was published after this one asked what is new: it may have loaded the same files."""
    if main_snapshot(loads.base) != new.loads_version:
        raise Conflict(f"Another load into {loads.target} was published meanwhile.", hint="Run the pipeline again.")


def refuse_changed(files: list[ScannedFile], store: ObjectStoreAccess) -> None:
    for file in (scanned.file for scanned in files):
        if current_version(file, store) != file.version:
            raise WorkFailed(
                f"{file.url} changed while it was being read; nothing was loaded.",
                hint="Run the pipeline again when the file is complete.",
            )


def _known(context: LoadContext, client: CatalogClient, column: str, values: list[str]) -> set[str]:
    loads = context.target.beside(LOADS_SUFFIX)
    if not values or client.find_table(loads) is None:
        return set()
    table = context.session.table(context.spark_name(loads))
    known: set[str] = set()
    for at in range(0, len(values), FINGERPRINTS_ASKED):
        asked = values[at : at + FINGERPRINTS_ASKED]
        known |= {row[0] for row in table.where(F.col(column).isin(asked)).select(column).distinct().collect()}
    return known
