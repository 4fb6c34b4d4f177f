"""Rejected rows replayed: read from the table of rejects, judged by the same spec, written and noted in one commit.

A replay of many goes by rounds, each of which is published by itself. Killed at any point, a round has either happened, and its
rows are noted as replayed, or left nothing; run again, it goes on with those that are still open.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pyspark.sql.connect.session import SparkSession
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt

from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient
from boathouse.kit.deadletters.book import Wanted
from boathouse.kit.deadletters.desk import CREATE_MENDS, Desk
from boathouse.kit.deadletters.ledger import RejectState, next_moment
from boathouse.kit.errors import Conflict, NotFound
from boathouse.kit.ids import new_uuid
from boathouse.kit.relations import MENDS_SUFFIX
from boathouse.pipelines.ingest.context import LoadContext
from boathouse.pipelines.ingest.load import ATTEMPTS
from boathouse.pipelines.ingest.report import Report, RuleCount
from boathouse.pipelines.ingest.staging import Staging, current_schema
from boathouse.pipelines.replay.mailbag import Packer
from boathouse.pipelines.replay.round import Round
from boathouse.pipelines.replay.same_spec import refuse_whole_files
from boathouse.pipelines.spec import PipelineSpec
from boathouse.pipelines.types import ColumnType, from_iceberg

_SUMMED = ("rows_in", "rows_written", "rows_superseded", "rows_outdated", "rows_quarantined", "rows_dropped")


class Replay:
    """`say` is told each step as it begins; `by` is who wants it."""

    def __init__(
        self,
        spec: PipelineSpec,
        session: SparkSession,
        access: LakeAccess,
        say: Callable[[str], None],
        *,
        wanted: Wanted,
        by: str,
    ) -> None:
        refuse_whole_files(spec)
        self._context = LoadContext(spec, Path(), session, access, say)
        self._wanted = replace(wanted, state=RejectState.OPEN)
        self._by = by
        self._desk = Desk(spec.target.table, access.catalog, access.object_store)
        self._tried: set[str] = set()

    def run(self) -> Report:
        began = time.monotonic()
        self._context.session.conf.set("spark.sql.ansi.enabled", "true")
        self._refuse_unknown()
        reports: list[Report] = []
        with CatalogClient(self._context.access.catalog) as client:
            again = Retrying(stop=stop_after_attempt(ATTEMPTS), retry=retry_if_exception_type(Conflict), reraise=True)
            while (report := again(self._round, client)) is not None:
                reports.append(report)
        whole = _sum(reports, Report(self._context.spec.pipeline, str(self._context.target)))
        return replace(whole, kind="replay", seconds=round(time.monotonic() - began, 3))

    def _refuse_unknown(self) -> None:
        self._context.say("looking for rejected rows")
        book = self._desk.book(ids=self._wanted.ids or ())
        for one in sorted(self._wanted.ids or ()):
            if not book.has(one):
                raise NotFound(
                    f"There is no rejected row {one!r} of {self._context.target}.",
                    hint="`boathouse deadletter list` shows their ids.",
                )

    def _round(self, client: CatalogClient) -> Report | None:
        load_id = new_uuid()
        staging = Staging(client, self._context.store, load_id)
        staging.sweep()
        try:
            return self._staged(client, staging, load_id)
        finally:
            staging.discard()

    def _staged(self, client: CatalogClient, staging: Staging, load_id: str) -> Report | None:
        context = self._context
        mends = staging.copy(context.target.beside(MENDS_SUFFIX), CREATE_MENDS)
        # Of the very version that the round is published on: what is open there is replayed by nobody else.
        book = self._desk.book(mends.base, ids=self._wanted.ids or ())
        places = [place for place in book.find(self._wanted) if place.id not in self._tried]
        bag = Packer(context.spec, self._desk, client, context.store).pack(places)
        if not bag.ids:
            return None
        context.say(f"replaying {len(bag.ids):,} rejected row{'s' if len(bag.ids) > 1 else ''}")
        report = Round(context, staging, mends, bag, load_id, self._by, next_moment(book.fates)).carry_out(
            self._columns(client)
        )
        self._tried |= bag.ids
        return report

    def _columns(self, client: CatalogClient) -> dict[str, ColumnType]:
        loaded = client.find_table(self._context.target)
        fields = current_schema(loaded.metadata)["fields"] if loaded else []
        return {field["name"]: from_iceberg(field["type"]) for field in fields}


def _sum(reports: Sequence[Report], nothing: Report) -> Report:
    """Of all rounds; what there is one of is the last round's."""
    if not reports:
        return nothing
    figures = {name: sum(getattr(report, name) for report in reports) for name in _SUMMED}
    counts: dict[tuple[str, str], int] = {}
    for rule in (rule for report in reports for rule in report.rules):
        counts[rule.rule, rule.action] = counts.get((rule.rule, rule.action), 0) + rule.rows
    rules = [RuleCount(rule, action, rows) for (rule, action), rows in counts.items()]
    return replace(reports[-1], **figures, rules=rules)
