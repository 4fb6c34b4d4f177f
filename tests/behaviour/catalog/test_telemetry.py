"""What a server tells of itself: whether it is ready, how much it does, and one line for each request."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from boathouse.catalog.backup.unfinished import mark
from boathouse.catalog.store import Store
from boathouse.catalog.telemetry import tracing
from boathouse.catalog.telemetry.store import ObservedStore
from tests.behaviour.catalog.conftest import OpenStore
from tests.behaviour.catalog.http_catalog import TOKEN, HttpCatalog, commit, set_properties, table_path

_TABLE = "/v1/{prefix}/namespaces/{namespace}/tables/{table}"
KEY = "0198a0c9-55a1-7000-8000-0123456789ab"
Numbers = dict[tuple[str, frozenset[str]], float]


async def numbers(lake: HttpCatalog) -> Callable[..., float]:
    """The value of a metric as the server tells it now, by its name and the values of its labels."""
    text = (await lake.http.get("/metrics")).text
    found: Numbers = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if "le" not in sample.labels:
                found[sample.name, frozenset(sample.labels.values())] = sample.value

    def value(name: str, *labels: str) -> float:
        return found.get((f"boathouse_catalog_{name}", frozenset(labels)), 0.0)

    return value


@pytest.fixture
async def watched(tmp_path: Path, opened_store: OpenStore) -> Any:
    lake = HttpCatalog(tmp_path, ObservedStore(opened_store()))
    await lake.namespace("ns")
    await lake.table()
    yield lake
    await lake.close()


class TestReadiness:
    async def test_it_is_not_ready_without_a_warehouse(self, lake: HttpCatalog) -> None:
        shutil.rmtree(lake.root)
        response = await lake.http.get("/readyz")
        assert response.status_code == 503
        assert response.json()["parts"].keys() == {"warehouse lake"}

    async def test_it_says_which_part_is_away(self, lake: HttpCatalog) -> None:
        await lake.store.close()
        assert (await lake.http.get("/readyz")).json()["parts"].keys() == {"store"}

    async def test_it_is_not_ready_while_a_backup_is_only_half_imported(self, lake: HttpCatalog) -> None:
        await lake.store.commit([], [mark("0" * 64)])
        assert "not finished" in (await lake.http.get("/readyz")).json()["parts"]["store"]

    async def test_it_is_not_ready_once_it_was_told_to_stop_but_still_answers(self, lake: HttpCatalog) -> None:
        lake.app.state.draining = True
        assert (await lake.http.get("/readyz")).status_code == 503
        answer = await lake.call("GET", "/namespaces")
        assert (answer.status_code, answer.headers["connection"]) == (200, "close")


class TestMetrics:
    async def test_requests_are_counted_by_the_template_of_their_route(self, watched: HttpCatalog) -> None:
        before = await numbers(watched)
        await watched.load()
        await watched.refused(404, "GET", table_path("nowhere"))
        after = await numbers(watched)
        for status in ("200", "404"):
            assert after("requests_total", "GET", _TABLE, status) == before("requests_total", "GET", _TABLE, status) + 1
        assert after("request_seconds_count", "GET", _TABLE) == before("request_seconds_count", "GET", _TABLE) + 2

    async def test_no_name_of_a_table_or_path_is_told(self, watched: HttpCatalog) -> None:
        await watched.table("secret-table")
        await watched.http.get("/secret-path")
        await watched.http.request("BREW", "/v1/config")
        text = (await watched.http.get("/metrics")).text
        assert "secret" not in text
        assert "BREW" not in text

    async def test_commits_are_counted_by_their_outcome(self, watched: HttpCatalog) -> None:
        before = await numbers(watched)
        await watched.set_property("a", "1")
        stale = commit(set_properties(a="2"), requirements=[{"type": "assert-table-uuid", "uuid": KEY}])
        await watched.refused(409, "POST", table_path("t"), stale)
        await watched.refused(404, "POST", table_path("nowhere"), commit(set_properties(a="2")))
        after = await numbers(watched)
        for outcome in ("applied", "conflict", "rejected"):
            assert after("commits_total", outcome) == before("commits_total", outcome) + 1
            assert after("commit_seconds_count", outcome) == before("commit_seconds_count", outcome) + 1

    async def test_repeats_are_counted(self, watched: HttpCatalog) -> None:
        before = await numbers(watched)
        for _ in range(3):
            await watched.set_property("a", "1", headers={"Idempotency-Key": KEY})
        assert (await numbers(watched))("replays_total") == before("replays_total") + 2

    async def test_bytes_and_cache_hits_are_counted(self, watched: HttpCatalog, tmp_path: Path) -> None:
        before = await numbers(watched)
        await watched.set_property("a", "1")
        await watched.load()
        file = Path((await watched.load())["metadata-location"].removeprefix("file://"))
        fresh = HttpCatalog(tmp_path, watched.store)
        await fresh.load()
        await fresh.http.aclose()
        after = await numbers(watched)
        size = content_length(file)
        assert after("metadata_written_bytes_total") == before("metadata_written_bytes_total") + size
        assert after("metadata_read_bytes_total") == before("metadata_read_bytes_total") + size
        assert after("metadata_cache_total", "hit") >= before("metadata_cache_total", "hit") + 2
        assert after("metadata_cache_total", "miss") == before("metadata_cache_total", "miss") + 1

    async def test_the_store_is_timed_and_its_leader_is_known(self, watched: HttpCatalog) -> None:
        before = await numbers(watched)
        await watched.set_property("a", "1")
        after = await numbers(watched)
        assert after("store_seconds_count", "commit") == before("store_seconds_count", "commit") + 1
        assert after("store_seconds_count", "read") > before("store_seconds_count", "read")
        assert after("store_has_leader") == 1
        assert after("store_endpoints") == after("store_endpoints_reachable") == 1

    @pytest.mark.parametrize(
        ("client", "headers", "status"),
        [
            ("127.0.0.1", {}, 200),
            ("::1", {}, 200),
            ("10.0.0.7", {}, 401),
            ("10.0.0.7", {"Authorization": f"Bearer {TOKEN}"}, 200),
            ("10.0.0.7", {"Authorization": "Bearer wrong"}, 401),
            ("127.0.0.1", {"X-Forwarded-For": "10.0.0.7"}, 401),
        ],
    )
    async def test_who_is_on_the_machine_or_has_a_token_may_see_them(
        self, lake: HttpCatalog, client: str, headers: dict[str, str], status: int
    ) -> None:
        transport = httpx.ASGITransport(lake.app, client=(client, 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://catalog") as http:
            assert (await http.get("/metrics", headers=headers)).status_code == status
            lake.app.state.open_metrics = True
            assert (await http.get("/metrics", headers=headers)).status_code == 200


def content_length(file: Path) -> int:
    return file.stat().st_size


class TestLog:
    async def test_a_request_is_one_line_that_tells_how_it_ended(self, lake: HttpCatalog) -> None:
        await lake.namespace("ns")
        await lake.table()
        with capture_logs() as told:
            for _ in range(2):
                await lake.set_property("a", "1", headers={"Idempotency-Key": KEY, "X-Request-ID": "mine-1"})
        first, again = told
        assert first["request"] == "mine-1"
        assert (first["route"], first["table"], first["outcome"]) == (_TABLE, "ns.t", "applied")
        assert (first["replayed"], again["replayed"]) == (False, True)
        assert first["key"] == again["key"]
        assert KEY not in str(told)
        assert TOKEN not in str(told)

    async def test_a_conflict_is_told_from_other_refusals(self, lake: HttpCatalog) -> None:
        await lake.namespace("ns")
        await lake.table()
        stale = commit(set_properties(a="2"), requirements=[{"type": "assert-table-uuid", "uuid": KEY}])
        with capture_logs() as told:
            await lake.call("POST", table_path("t"), stale)
            await lake.call("POST", table_path("nowhere"), stale)
        assert [line["outcome"] for line in told] == ["conflict", "rejected"]

    @pytest.mark.parametrize("given", ["", "a b", "x" * 65, "ü", 'a"b', "a;b"])
    async def test_an_id_that_is_not_sane_is_replaced(self, lake: HttpCatalog, given: str) -> None:
        response = await lake.http.get("/healthz", headers={b"X-Request-ID": given.encode()})
        assert response.headers["x-request-id"] != given
        assert len(response.headers["x-request-id"]) == 36


@pytest.fixture
def spans() -> Any:
    """The spans that are made, in the order in which they ended."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.use(provider)
    yield exporter
    tracing.stop_tracing()


def named(spans: InMemorySpanExporter, name: str) -> ReadableSpan:
    return next(span for span in spans.get_finished_spans() if span.name == name)


class TestTraces:
    async def test_a_commit_is_a_span_within_the_callers(
        self, watched: HttpCatalog, spans: InMemorySpanExporter
    ) -> None:
        caller = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
        await watched.set_property("a", "1", headers=caller)
        request, stored, written = (named(spans, name) for name in ("request", "store.commit", "metadata.write"))
        assert request.parent is not None
        assert f"{request.parent.span_id:x}" == "b7ad6b7169203331"
        assert request.context is not None
        assert f"{request.context.trace_id:032x}" == "0af7651916cd43dd8448eb211c80319c"
        for child in (stored, written):
            assert child.parent is not None
            assert child.parent.span_id == request.context.span_id
        assert request.attributes is not None
        assert request.attributes["http.route"] == _TABLE
        assert request.attributes["boathouse.outcome"] == "applied"

    async def test_a_file_that_is_read_is_a_span(
        self, watched: HttpCatalog, spans: InMemorySpanExporter, tmp_path: Path
    ) -> None:
        fresh = HttpCatalog(tmp_path, watched.store)
        await fresh.load()
        await fresh.http.aclose()
        assert named(spans, "metadata.read").parent is not None

    def test_nothing_is_traced_unless_somebody_wants_it(self) -> None:
        assert not tracing.start_tracing({})
        assert not tracing.start_tracing({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "true"})


def test_an_observed_store_is_a_store(store: Store) -> None:
    observed: Store = ObservedStore(store)
    assert observed is not store
