"""The end of a stream: whatever others hold for it is given back. Tables and topics stay.

A slot that nobody reads has Postgres keep its log until the disk is full.
"""

from collections.abc import Callable
from contextlib import closing
from functools import partial

from boathouse.kit.access import LakeAccess, of_stream
from boathouse.kit.errors import Conflict
from boathouse.pipelines.stream import postgres
from boathouse.pipelines.stream.checkpoints import Checkpoint
from boathouse.pipelines.stream.context import directory_of
from boathouse.pipelines.stream.debezium import Connectors, slot_name
from boathouse.pipelines.stream.owner import ownership_of
from boathouse.pipelines.stream.spec import PostgresSource, StreamSpec


def remove(spec: StreamSpec, access: LakeAccess, say: Callable[[str], None]) -> None:
    """What is gone already is left out, so it can be done again after whatever went wrong."""
    found = ownership_of(spec, access.object_store).read()
    if found is not None and found.pipeline != spec.pipeline:
        raise Conflict(
            f"What is kept under this short name is of the pipeline {found.pipeline!r}.",
            hint="Give the spec of that one.",
        )
    if found is not None and found.is_at_work():
        raise Conflict(f"The pipeline {spec.pipeline!r} is at work: {found.carried_out_by}.", hint="Stop it first.")
    if isinstance(spec.source, PostgresSource):
        database = of_stream(access.postgres, "Postgres")
        with closing(Connectors(of_stream(access.connect, "Kafka Connect"))) as connectors:
            for connector in sorted(connectors.following(spec.slug)):
                slot = slot_name(connector)
                say(f"the connector {connector}, how far it has come, and the slot and publication {slot} in Postgres")
                connectors.remove(connector, partial(postgres.forget, database, slot))
        # Of connectors that somebody has deleted.
        for slot in postgres.slots(database, slot_name(spec.slug)):
            say(f"the slot and publication {slot} in Postgres, of no connector any more")
            postgres.forget(database, slot)
    say("the checkpoints")
    Checkpoint(access.object_store, directory_of(spec)).drop()
