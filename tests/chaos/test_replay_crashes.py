"""A replay killed at any step has either happened or not; run again, no row is there twice and none is lost."""

import json
import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from boathouse.kit.catalog_client import CatalogClient, TableName
from boathouse.kit.deadletters.book import Wanted
from boathouse.kit.deadletters.desk import Desk
from boathouse.kit.deadletters.ledger import Action, RejectState
from boathouse.kit.lake_files import LakeFiles
from boathouse.kit.table_rows import read_all
from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack

SPEC = """
pipeline: replayed
source: {{path: data.csv, format: csv}}
schema: {{id: bigint, amount: int}}
expectations: [{{check: amount > 0}}]
target: {{table: {namespace}.rows{keys}}}
"""
MODES = {"append": "", "merge": ", mode: merge, keys: [id]"}
STEPS = ["looking", "replaying", "writing", "noting", "publishing"]
BAD = 30


def run(stack: LakehouseUnderTest, *words: str) -> dict[str, int]:
    done = stack.cli(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def killed_at(stack: LakehouseUnderTest, step: str, *words: str) -> None:
    command = [sys.executable, "-m", "boathouse.cli.main", *words]
    process = subprocess.Popen(command, env=stack.env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    try:
        assert any(step in line for line in process.stderr), f"the replay ended before it came to {step!r}"
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def amounts(stack: LakehouseUnderTest, namespace: str) -> list[str]:
    """The rows that a reader sees, read without Spark: this is asked often."""
    with CatalogClient(stack.access.catalog) as client:
        metadata = client.load_table(TableName((namespace,), "rows")).metadata
    kinds = pa.schema([("id", pa.int64()), ("amount", pa.int32())])
    rows = read_all(metadata, kinds, LakeFiles(stack.access.object_store))
    return [f"{row['id']},{row['amount']}" for row in rows.sort_by([("id", "ascending")]).to_pylist()]


@pytest.mark.parametrize("mode", MODES)
def test_killed_at_each_step_in_turn_it_replays_every_row_once(
    stack: LakehouseUnderTest, tmp_path: Path, mode: str
) -> None:
    namespace = f"replay_crash_{mode}_{secrets.token_hex(4)}"
    spec = tmp_path / "spec.yaml"
    spec.write_text(SPEC.format(namespace=namespace, keys=MODES[mode]))
    rows = [f"{number},-1" for number in range(1, BAD + 1)]
    (tmp_path / "data.csv").write_text("\n".join(["id,amount", "0,1", *rows, ""]))
    assert run(stack, "pipeline", "run", str(spec))["rows_quarantined"] == BAD
    desk = Desk(TableName((namespace,), "rows"), stack.access.catalog, stack.access.object_store)
    for place in desk.book().find(Wanted()):
        number = (place.line or 0) - 2
        # One of them is mended badly, and has to be open in the end.
        desk.decide([place.id], Action.MENDED, by="chaos", raw=f"{number},{number if number != 7 else -7}")

    happened = ([f"{n},{n or 1}" for n in range(BAD + 1) if n != 7], (BAD, 1))
    for step in STEPS:
        before = (amounts(stack, namespace), desk.standing())
        killed_at(stack, step, "deadletter", "replay", str(spec), "--all")
        after = (amounts(stack, namespace), desk.standing())
        # Killed while it says `publishing`, it may have got through; then all of it must be there.
        assert after == before or (step == "publishing" and after == happened)

    report = run(stack, "deadletter", "replay", str(spec), "--all")
    assert report["rows_quarantined"] == 1
    assert (amounts(stack, namespace), desk.standing()) == happened
    (left,) = desk.book().find(Wanted(state=RejectState.OPEN))
    assert (left.line, left.reason) == (9, "breaks: amount > 0")
    with CatalogClient(stack.access.catalog) as client:
        assert not [name for name in client.tables(("_staging",)) if name.name.startswith(namespace)]


def test_two_replays_of_the_same_rows_at_once_write_each_once(stack: LakehouseUnderTest, tmp_path: Path) -> None:
    namespace = f"replay_twins_{secrets.token_hex(4)}"
    spec = tmp_path / "spec.yaml"
    spec.write_text(SPEC.format(namespace=namespace, keys=""))
    (tmp_path / "data.csv").write_text("id,amount\n0,1\n" + "".join(f"{number},-1\n" for number in range(1, 50)))
    run(stack, "pipeline", "run", str(spec))
    spec.write_text(spec.read_text().replace("amount > 0", "amount < 0"))
    command = [sys.executable, "-m", "boathouse.cli.main", "deadletter", "replay", str(spec), "--all", "--json"]
    twins = [
        subprocess.Popen(command, env=stack.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    written = 0
    for process in twins:
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        written += json.loads(output)["rows_written"]
    assert written == 49
    assert len(amounts(stack, namespace)) == 50
