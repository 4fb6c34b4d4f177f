"""Whose a stream is: one pipeline's, one job's, and one process's at a time.

Checkpoints, slots, connectors and offsets are found by the pipeline's short name alone, and two that shared them would
each take half. So the first leaves its name beside the checkpoints, and as long as it is at work, a beat.
"""

import json
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace

import obstore

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.errors import BoathouseError, Conflict, NotFound
from boathouse.kit.ids import new_uuid
from boathouse.kit.objects import Store, storage_errors
from boathouse.kit.process_names import is_alive, myself
from boathouse.kit.run_properties import Run
from boathouse.pipelines.ingest.discovery import s3_object
from boathouse.pipelines.stream.context import directory_of
from boathouse.pipelines.stream.spec import StreamSpec

_FILE = "owner.json"
_BEAT_SECONDS = 5.0
# A pause of a busy machine is shorter; who takes over waits no longer than somebody would.
_DEAD_AFTER_SECONDS = 30.0


@dataclass(frozen=True)
class Owner:
    """As it is kept. A run is what the control plane started; a command line has none."""

    pipeline: str
    workspace: str = ""
    job: str = ""
    run: str = ""
    process: str = ""
    """Which is at work, or was last."""
    id: str = field(default_factory=new_uuid)
    beat: float = 0.0
    """When it was last, in seconds since 1970; 0 if it has ended as it should."""

    def is_at_work(self) -> bool:
        if not self.beat:
            return False
        alive = is_alive(self.process)
        return time.time() - self.beat < _DEAD_AFTER_SECONDS if alive is None else alive

    @property
    def carried_out_by(self) -> str:
        return f"the job {self.job} of the workspace {self.workspace}" if self.job else f"a command ({self.process})"


def owner_of(pipeline: str, run: Run | None) -> Owner:
    """Of this process."""
    at_work = Owner(pipeline, process=myself(), beat=time.time())
    return at_work if run is None else replace(at_work, workspace=run.workspace, job=run.job, run=run.id)


@dataclass(frozen=True)
class Ownership:
    """`directory` is the stream's, in `store`."""

    store: Store
    directory: str

    @contextmanager
    def held(self, me: Owner, lost: Callable[[], None], *, take_over: bool = False) -> Generator[None]:
        """As long as this process is at work. `lost` is called, in a thread of its own, if another has taken it."""
        found = self.read()
        if found is not None:
            refuse(found, me, take_over=take_over)
        self._write(me)
        ended, taken = threading.Event(), threading.Event()
        beats = threading.Thread(target=self._beat, args=(me, ended, taken, lost), name="owner", daemon=True)
        beats.start()
        try:
            yield
        finally:
            ended.set()
            beats.join()
            # If the store is away, others see that the process has ended.
            with suppress(BoathouseError):
                if not taken.is_set():
                    self._write(replace(me, beat=0.0))
        if taken.is_set():
            raise Conflict(f"Another process has begun to carry out the pipeline {me.pipeline!r}, so this one ended.")

    def read(self) -> Owner | None:
        try:
            with storage_errors(self._path):
                told = json.loads(bytes(obstore.get(self.store, self._path).bytes()))
            return Owner(**{one.name: told[one.name] for one in fields(Owner) if one.name in told})
        except NotFound:
            return None

    @property
    def _path(self) -> str:
        return f"{self.directory}/{_FILE}"

    def _write(self, owner: Owner) -> None:
        with storage_errors(self._path):
            obstore.put(self.store, self._path, json.dumps(asdict(owner)).encode())

    def _beat(self, me: Owner, ended: threading.Event, taken: threading.Event, lost: Callable[[], None]) -> None:
        while not ended.wait(_BEAT_SECONDS):
            try:
                found = self.read()
                if found is not None and found.id != me.id:
                    taken.set()
                    lost()
                    return
                self._write(replace(me, beat=time.time()))
            except BoathouseError:
                # The store is away; the next beat tells.
                continue


def ownership_of(spec: StreamSpec, access: ObjectStoreAccess) -> Ownership:
    return Ownership(*s3_object(f"s3://{access.bucket}/{directory_of(spec)}", access))


def refuse(found: Owner, me: Owner, *, take_over: bool) -> None:
    """Conflict unless it is the same pipeline, of the same job, and not at work. A command's becomes a job's as soon as it has one."""
    if found.pipeline != me.pipeline:
        raise Conflict(
            f"The pipeline {found.pipeline!r} keeps what it knows under the same short name as {me.pipeline!r}.",
            hint="Give this one a name that differs in its letters and digits.",
        )
    # The control plane never has two attempts of a run at work.
    if found.is_at_work() and not (me.run and me.run == found.run):
        raise Conflict(
            f"The pipeline {me.pipeline!r} is at work already: {found.carried_out_by}.", hint="Stop that one first."
        )
    if found.job and (found.workspace, found.job) != (me.workspace, me.job) and not take_over:
        raise Conflict(
            f"The pipeline {me.pipeline!r} belongs to {found.carried_out_by}.",
            hint="Run it there, or give this one another name. If it is to be no longer that job's, take it over once by "
            "`boathouse pipeline run SPEC --once --take-over`.",
        )
