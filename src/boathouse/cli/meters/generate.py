"""`python examples/meters/generate.py`: change a power company's tables in Postgres, so many times a second.

The same seed and options give the same changes in the same order, on tables that were empty.
"""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from boathouse.cli.meters.company import Batch, Company
from boathouse.cli.meters.database import DSN_VARIABLE, Connection, change_schema, connect, greatest_id, prepare, write
from boathouse.cli.meters.form import SCHEMA_CHANGES, SchemaChange

if TYPE_CHECKING:
    from boathouse.kit.access import PostgresAccess

_BATCHES_A_SECOND = 10
# As fast as it goes: transactions of this size.
_UNPACED = 2_000
_TELL_EVERY = 5.0


@dataclass(frozen=True)
class Plan:
    rate: int
    """Changes a second; 0 is as fast as it goes, 10,000 for each of the seconds."""
    seconds: int
    seed: int
    customers: int
    meters: int
    schema_change: bool = False
    poison: bool = False

    @property
    def batch(self) -> int:
        return max(1, self.rate // _BATCHES_A_SECOND) if self.rate else _UNPACED

    @property
    def changes(self) -> int:
        return (self.rate or 10_000) * self.seconds


@dataclass
class Done:
    """How it went."""

    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    seconds: float = 0.0

    @property
    def changes(self) -> int:
        return self.inserts + self.updates + self.deletes

    @property
    def rate(self) -> float:
        return self.changes / max(self.seconds, 0.001)

    def add(self, batch: Batch) -> None:
        self.inserts += batch.inserts
        self.updates += batch.updates
        self.deletes += batch.deletes


async def generate(address: "PostgresAccess | str", plan: Plan, say: Callable[[str], None]) -> Done:
    connection = await connect(address)
    try:
        form = await prepare(connection)
        before = await greatest_id(connection)
        company = Company(plan.seed, form=form, before=before, poison=plan.poison)
        population = company.population(plan.customers, plan.meters)
        await write(connection, population, form)
        say(f"{len(population.customers):,} customers with {len(population.meters):,} meters, ids from {before + 1:,}")
        return await _change(connection, company, plan, say)
    finally:
        await connection.close(timeout=10)


async def _change(connection: Connection, company: Company, plan: Plan, say: Callable[[str], None]) -> Done:
    done, began = Done(), time.monotonic()
    left = [change for change in SCHEMA_CHANGES if plan.schema_change and not change.made(company.form)]
    # In the middle: one at 4/8 of the way, the next at 5/8.
    at = {plan.changes * (4 + place) // 8: change for place, change in enumerate(left)}
    told = began
    while done.changes < plan.changes:
        for number in [number for number in at if done.changes >= number]:
            await _alter(connection, company, at.pop(number), say)
        # No batch goes past the next of them, or there would be none of its kind afterwards.
        batch = company.batch(min(plan.batch, min(at, default=plan.changes) - done.changes))
        await write(connection, batch, company.form)
        done.add(batch)
        done.seconds = time.monotonic() - began
        if time.monotonic() > told + _TELL_EVERY:
            told = time.monotonic()
            say(f"{done.changes:,} changes, {done.rate:,.0f} a second")
        if plan.rate:
            # By the whole way, so that a slow batch is made up for.
            await asyncio.sleep(max(0.0, done.changes / plan.rate - (time.monotonic() - began)))
            done.seconds = time.monotonic() - began
    return done


async def _alter(connection: Connection, company: Company, change: SchemaChange, say: Callable[[str], None]) -> None:
    await change_schema(connection, change)
    company.form = change.applied(company.form)
    say(change.title)


def address() -> "PostgresAccess | str":
    from boathouse.kit.access import LakeAccess, of_stream
    from boathouse.kit.settings import load_settings

    if dsn := os.environ.get(DSN_VARIABLE):
        return dsn
    return of_stream(LakeAccess.load(load_settings().home).postgres, "Postgres")


def main(
    *,
    rate: Annotated[int, typer.Option(min=0, help="Changes a second; 0 is as fast as it goes.")] = 500,
    seconds: Annotated[int, typer.Option(min=1, help="How long.")] = 60,
    seed: Annotated[int, typer.Option(help="The same seed gives the same changes.")] = 7,
    customers: Annotated[int, typer.Option(min=1, help="At the beginning.")] = 1_000,
    meters: Annotated[int, typer.Option(min=1, help="At the beginning; at least one a customer.")] = 1_200,
    schema_change: Annotated[
        bool, typer.Option("--schema-change", help="In the middle add, widen, rename and drop a column.")
    ] = False,
    poison: Annotated[
        bool, typer.Option("--poison", help="A reading in a thousand is NaN, which no lake's decimal can hold.")
    ] = False,
) -> None:
    """Change customers, meters and readings in the lakehouse's Postgres, or in that of the DSN in METERS_DSN."""
    from boathouse.cli.errors import report
    from boathouse.kit.errors import BoathouseError

    plan = Plan(rate, seconds, seed, customers, meters, schema_change, poison)
    try:
        done = asyncio.run(generate(address(), plan, typer.echo))
    except BoathouseError as error:
        raise typer.Exit(report(error, debug=False)) from None
    except KeyboardInterrupt:
        typer.echo("Stopped.")
        raise typer.Exit(130) from None
    aim = f"{rate:,}" if rate else "as many as possible"
    typer.echo(
        f"{done.changes:,} changes ({done.inserts:,} inserts, {done.updates:,} updates, {done.deletes:,} deletes) "
        f"in {done.seconds:.1f} s: {done.rate:,.0f} a second; the target was {aim}."
    )


if __name__ == "__main__":
    typer.run(main)
