"""Who may call what: every operation with every privilege, and what a refusal tells."""

import json
from base64 import urlsafe_b64decode
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from boathouse.catalog.access.privileges import Privilege, brought_by
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.api.app import OPERATIONS
from boathouse.catalog.api.operations import ANYBODY
from tests.behaviour.catalog.guarded_catalog import LAKE, NS, TABLE, GuardedCatalog
from tests.behaviour.catalog.http_catalog import (
    SCHEMA,
    change,
    commit,
    creation,
    new_view,
    set_properties,
    table_path,
)
from tests.behaviour.catalog.scanned_table import ScannedTable
from tests.manifest_files import File

LIST, READ, WRITE, CREATE, MANAGE = Privilege
_TABLE = "/v1/{prefix}/namespaces/{namespace}/tables/{table}"
_VIEW = "/v1/{prefix}/namespaces/{namespace}/views/{view}"
_NAMESPACE = "/v1/{prefix}/namespaces/{namespace}"
VIEW = Securable("lake", ("ns",), "v", kind="view")
ASSERT_CREATE = {"type": "assert-create"}


@dataclass(frozen=True)
class Case:
    """A request, and the one grant that it takes."""

    method: str
    route: str
    needs: Privilege
    on: Securable
    body: Any = None
    query: str = ""

    @property
    def path(self) -> str:
        named = {"{prefix}": "lake", "{namespace}": "ns", "{table}": "t", "{view}": "v", "{function}": "f"}
        named |= {"{principal}": "bob", "{privilege}": "read"}
        path = self.route
        for part, value in named.items():
            path = path.replace(part, value)
        return path + self.query


def signing(method: str) -> Any:
    return {"region": "us-east-1", "method": method, "uri": "http://store/lake/ns/t/data", "headers": {}}


NEW_TABLE = {"name": "t", "schema": SCHEMA}
CASES = [
    Case("GET", "/v1/config", LIST, LAKE),
    Case("GET", "/v1/config", LIST, LAKE, query="?warehouse=lake"),
    Case("GET", "/v1/{prefix}/namespaces", LIST, LAKE),
    Case("GET", "/v1/{prefix}/namespaces", LIST, NS, query="?parent=ns"),
    Case("POST", "/v1/{prefix}/namespaces", CREATE, LAKE, {"namespace": ["new"]}),
    Case("POST", "/v1/{prefix}/namespaces", CREATE, NS, {"namespace": ["ns", "new"]}),
    Case("HEAD", _NAMESPACE, LIST, NS),
    Case("GET", _NAMESPACE, READ, NS),
    Case("DELETE", _NAMESPACE, WRITE, NS),
    Case("POST", f"{_NAMESPACE}/properties", WRITE, NS, {"updates": {"a": "b"}}),
    Case("GET", f"{_NAMESPACE}/tables", LIST, NS),
    Case("POST", f"{_NAMESPACE}/tables", CREATE, NS, NEW_TABLE),
    Case("POST", f"{_NAMESPACE}/tables", CREATE, NS, {**NEW_TABLE, "stage-create": True}),
    Case("POST", f"{_NAMESPACE}/register", CREATE, NS, {"name": "r", "metadata-location": "file:///x"}),
    Case("GET", f"{_NAMESPACE}/views", LIST, NS),
    Case("POST", f"{_NAMESPACE}/views", CREATE, NS, {"name": "v"}),
    Case("POST", f"{_NAMESPACE}/register-view", CREATE, NS, {"name": "r", "metadata-location": "file:///x"}),
    Case("GET", f"{_NAMESPACE}/functions", LIST, NS),
    Case("GET", f"{_NAMESPACE}/functions/{{function}}", READ, NS),
    Case("HEAD", _VIEW, LIST, VIEW),
    Case("GET", _VIEW, READ, VIEW),
    Case("POST", _VIEW, WRITE, VIEW, commit()),
    Case("DELETE", _VIEW, WRITE, VIEW),
    Case("HEAD", _TABLE, LIST, TABLE),
    Case("GET", _TABLE, READ, TABLE),
    Case("POST", _TABLE, WRITE, TABLE, commit(set_properties(a="b"))),
    Case("POST", _TABLE, CREATE, NS, commit(*creation(), requirements=[ASSERT_CREATE])),
    Case("POST", f"{_TABLE}/unregister", WRITE, TABLE),
    Case("DELETE", _TABLE, WRITE, TABLE),
    Case("DELETE", _TABLE, MANAGE, TABLE, query="?purgeRequested=true"),
    Case("GET", f"{_TABLE}/credentials", READ, TABLE),
    Case("GET", f"{_TABLE}/credentials", CREATE, NS, query="?staged=x"),
    Case("POST", f"{_TABLE}/sign", READ, TABLE, signing("GET")),
    Case("POST", f"{_TABLE}/sign", READ, TABLE, signing("HEAD")),
    Case("POST", f"{_TABLE}/sign", WRITE, TABLE, signing("PUT")),
    Case("POST", f"{_TABLE}/sign", WRITE, TABLE, signing("POST")),
    Case("POST", f"{_TABLE}/sign", WRITE, TABLE, signing("DELETE")),
    Case("POST", f"{_TABLE}/sign", CREATE, NS, signing("PUT"), query="?staged=x"),
    Case("POST", f"{_TABLE}/plan", READ, TABLE, {}),
    Case("GET", f"{_TABLE}/plan/{{plan-id}}", READ, TABLE),
    Case("DELETE", f"{_TABLE}/plan/{{plan-id}}", READ, TABLE),
    Case("POST", f"{_TABLE}/tasks", READ, TABLE, {"plan-task": "x"}),
    Case("POST", f"{_TABLE}/metrics", READ, TABLE, {"report-type": "scan-report"}),
    Case("POST", "/v1/{prefix}/transactions/commit", WRITE, TABLE, {"table-changes": [change("t")]}),
    Case(
        "POST",
        "/v1/{prefix}/transactions/commit",
        CREATE,
        NS,
        {"table-changes": [change("new", *creation(), requirements=[ASSERT_CREATE])]},
    ),
    Case("GET", "/management/v1/{prefix}/principals", MANAGE, LAKE),
    *(
        Case(method, f"/management{route}/grants{one}", MANAGE, on)
        for route, on in ((_TABLE, TABLE), (_NAMESPACE, NS), ("/v1/{prefix}", LAKE))
        for method, one in (("GET", ""), ("PUT", "/{principal}/{privilege}"), ("DELETE", "/{principal}/{privilege}"))
    ),
]
KEY = {"Idempotency-Key": "01890a5d-ac96-774b-bcce-b302099a8057"}
# What takes two grants has tests of its own, below.
WITH_TWO = {("POST", "/v1/{prefix}/tables/rename"), ("POST", "/v1/{prefix}/views/rename")}
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.method} {case.path} {case.needs}")


@pytest.fixture
async def lake(tmp_path: Path) -> AsyncGenerator[GuardedCatalog]:
    lake = GuardedCatalog(tmp_path)
    await lake.caller("admin", (MANAGE, LAKE))
    await lake.namespace("ns")
    await lake.caller("ann")
    yield lake
    await lake.close()


def test_every_operation_is_among_the_cases() -> None:
    guarded = {(one.method, one.path) for one in OPERATIONS if one.requirement is not ANYBODY}
    assert {(case.method, case.route) for case in CASES} | WITH_TWO == guarded


@EVERY_CASE
async def test_an_operation_takes_its_own_privilege_and_no_other(lake: GuardedCatalog, case: Case) -> None:
    for held in Privilege:
        await lake.hold("ann", (held, case.on))
        response = await lake.http.request(case.method, case.path, json=case.body)
        allowed = case.needs in brought_by(held)
        assert (response.status_code != 403) == allowed, (held, response.text)
        assert response.status_code != 401


@EVERY_CASE
async def test_what_is_granted_above_is_granted_below(lake: GuardedCatalog, case: Case) -> None:
    await lake.hold("ann", (case.needs, LAKE))
    response = await lake.http.request(case.method, case.path, json=case.body)
    assert response.status_code not in {401, 403}, response.text


@EVERY_CASE
async def test_without_a_grant_nothing_is_told(lake: GuardedCatalog, case: Case) -> None:
    """Neither by the answer nor by what it says can a stranger find out whether a thing is there."""
    await lake.hold("ann", (MANAGE, Securable("pond")))
    path = (
        case.path if case.query.startswith("?warehouse") or "config" not in case.path else f"{case.path}?warehouse=lake"
    )
    before = await lake.http.request(case.method, path, json=case.body)
    await lake.become("admin")
    await lake.call("POST", "/namespaces/ns/tables", NEW_TABLE)
    await lake.become("ann")
    after = await lake.http.request(case.method, path, json=case.body)
    assert (before.status_code, after.status_code) == (403, 403)
    assert before.text == after.text
    if case.method != "HEAD":
        error = before.json()["error"]
        assert error["type"] == "ForbiddenException"
        assert error["message"].startswith(f"Principal 'ann' lacks the grant '{case.needs}' on {case.on} ")


@pytest.mark.parametrize("kind", ["tables", "views"])
@pytest.mark.parametrize(
    ("grants", "missing"),
    [
        ([], "'write' on table ns.t "),
        ([(CREATE, Securable("lake", ("other",)))], "'write' on table ns.t "),
        ([(WRITE, TABLE)], "'create' on namespace other "),
        ([(WRITE, TABLE), (CREATE, NS)], "'create' on namespace other "),
        ([(WRITE, TABLE), (CREATE, Securable("lake", ("other",)))], None),
    ],
)
async def test_renaming_takes_writing_the_source_and_creating_at_the_destination(
    lake: GuardedCatalog, grants: list[tuple[Privilege, Securable]], missing: str | None, kind: str
) -> None:
    await lake.become("admin")
    if kind == "tables":
        await lake.table()
    await lake.namespace("other")
    await lake.become("ann")
    await lake.hold("ann", *grants)
    body = {"source": {"namespace": ["ns"], "name": "t"}, "destination": {"namespace": ["other"], "name": "t"}}
    if missing is None:
        # There is a table of this name, and no view.
        assert (await lake.call("POST", f"/{kind}/rename", body)).status_code == (204 if kind == "tables" else 404)
    else:
        assert missing in (await lake.refused(403, "POST", f"/{kind}/rename", body))["message"]


async def test_a_transaction_takes_each_of_its_tables(lake: GuardedCatalog) -> None:
    await lake.become("admin")
    for name in ("t", "u"):
        await lake.table(name)
    await lake.become("ann")
    await lake.hold("ann", (WRITE, TABLE), (READ, NS))
    changes = [change(name, set_properties(by="ann")) for name in ("t", "u")]
    error = await lake.refused(403, "POST", "/transactions/commit", {"table-changes": changes})
    assert "'write' on table ns.u " in error["message"]
    for name in ("t", "u"):
        assert "by" not in (await lake.load(name))["metadata"]["properties"]


async def test_registering_over_a_table_takes_writing_it(lake: GuardedCatalog) -> None:
    await lake.become("admin")
    location = (await lake.table())["metadata-location"]
    await lake.become("ann")
    await lake.hold("ann", (CREATE, NS))
    body = {"name": "t", "metadata-location": location, "overwrite": True}
    error = await lake.refused(403, "POST", "/namespaces/ns/register", body)
    assert "'write' on table ns.t " in error["message"]
    await lake.hold("ann", (CREATE, NS), (WRITE, TABLE))
    await lake.ok("POST", "/namespaces/ns/register", body)


class TestListings:
    @pytest.fixture(autouse=True)
    async def contents(self, lake: GuardedCatalog) -> None:
        await lake.become("admin")
        await lake.namespace("hidden")
        await lake.namespace("ns", "deep")
        for name in ("t", "u"):
            await lake.table(name)
            await lake.table(name, ("ns", "deep"))
        await lake.become("ann")

    async def names(self, lake: GuardedCatalog, path: str, kind: str = "identifiers") -> list[Any]:
        found = (await lake.ok("GET", path))[kind]
        return [one["name"] if kind == "identifiers" else one for one in found]

    async def test_only_what_the_caller_may_see_is_listed(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (READ, TABLE))
        assert await self.names(lake, "/namespaces", "namespaces") == [["ns"]]
        assert await self.names(lake, "/namespaces/ns/tables") == ["t"]
        assert await self.names(lake, "/namespaces?parent=ns", "namespaces") == []
        await lake.refused(403, "GET", "/namespaces/ns%1Fdeep/tables")

    async def test_the_way_to_what_was_granted_is_listed(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (READ, Securable("lake", ("ns", "deep"))))
        assert await self.names(lake, "/namespaces", "namespaces") == [["ns"]]
        assert await self.names(lake, "/namespaces?parent=ns", "namespaces") == [["ns", "deep"]]
        assert await self.names(lake, "/namespaces/ns/tables") == []
        assert await self.names(lake, "/namespaces/ns%1Fdeep/tables") == ["t", "u"]

    async def test_whoever_may_list_the_warehouse_sees_everything(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (LIST, LAKE))
        assert await self.names(lake, "/namespaces", "namespaces") == [["hidden"], ["ns"]]
        assert await self.names(lake, "/namespaces/ns/tables") == ["t", "u"]
        await lake.refused(403, "GET", table_path("t"))

    async def test_pages_lead_to_the_end_past_what_is_hidden(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (READ, Securable("lake", ("ns",), "u")))
        seen: list[str] = []
        token: str | None = ""
        while token is not None:
            page = await lake.ok("GET", f"/namespaces/ns/tables?pageSize=1&pageToken={token}")
            seen += [one["name"] for one in page["identifiers"]]
            token = page["next-page-token"]
        assert seen == ["u"]

    async def test_no_page_tells_of_what_the_caller_may_not_see(self, lake: GuardedCatalog) -> None:
        await lake.become("admin")
        for name in ("a", "hidden1", "m", "hidden2", "z"):
            await lake.table(name)
            await lake.namespace(name)
        await lake.become("ann")
        seen = ("a", "m", "z")
        granted = [(LIST, Securable("lake", ("ns",), name)) for name in seen]
        await lake.hold("ann", *granted, *((LIST, Securable("lake", (name,))) for name in seen))
        for path, told in (("/namespaces/ns/tables", "identifiers"), ("/namespaces", "namespaces")):
            names, token, pages = list[str](), "", 0
            while token is not None:
                page = await lake.ok("GET", path, params={"pageToken": token, "pageSize": "2"})
                names += [one["name"] if told == "identifiers" else one[0] for one in page[told]]
                token, pages = page["next-page-token"], pages + 1
                assert b"hidden" not in urlsafe_b64decode(token or "")
            assert [name for name in names if name != "ns"] == ["a", "m", "z"]
            assert pages == 2


class TestWarehouses:
    async def test_a_grant_on_one_is_none_on_another(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (MANAGE, LAKE))
        assert (await lake.http.get("/v1/pond/namespaces")).status_code == 403
        assert (await lake.http.get("/v1/nowhere/namespaces")).status_code == 403

    async def test_the_only_one_a_caller_may_see_need_not_be_named(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (READ, TABLE))
        assert (await lake.http.get("/v1/config")).json()["overrides"] == {"prefix": "lake"}
        await lake.hold("ann", (READ, TABLE), (LIST, Securable("pond")))
        assert "lake, pond" in (await lake.http.get("/v1/config")).json()["error"]["message"]

    async def test_a_location_is_not_translated_for_strangers(self, lake: GuardedCatalog) -> None:
        response = await lake.http.get("/v1/config", params={"warehouse": lake.url})
        assert response.status_code == 403
        assert "'list' on warehouse file://" in response.json()["error"]["message"]


class TestIdempotency:
    async def test_a_refusal_is_not_remembered(self, lake: GuardedCatalog) -> None:
        await lake.refused(403, "POST", "/namespaces", {"namespace": ["mine"]}, headers=KEY)
        await lake.hold("ann", (CREATE, LAKE))
        await lake.ok("POST", "/namespaces", {"namespace": ["mine"]}, headers=KEY)

    async def test_nobody_is_told_what_another_was_told(self, lake: GuardedCatalog) -> None:
        await lake.become("admin")
        await lake.ok("POST", "/namespaces/ns/tables", NEW_TABLE, headers=KEY)
        await lake.become("ann")
        await lake.refused(403, "POST", "/namespaces/ns/tables", NEW_TABLE, headers=KEY)


class TestWhenItIsFelt:
    async def test_grants_and_revocations_are_felt_within_a_second(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (LIST, LAKE))
        await lake.ok("GET", "/namespaces")
        await lake.hold("ann")
        await lake.refused(403, "GET", "/namespaces")

    async def test_the_store_is_not_asked_on_every_request(
        self, lake: GuardedCatalog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await lake.hold("ann", (LIST, LAKE))
        await lake.http.get("/v1/config")
        asked: list[str] = []
        read: Callable[[str], Any] = lake.store.read

        async def counted(key: str) -> Any:
            asked.append(key)
            return await read(key)

        monkeypatch.setattr(lake.store, "read", counted)
        for _ in range(10):
            await lake.http.get("/v1/config")
        assert asked == []
        lake.a_moment_later()
        for _ in range(10):
            await lake.http.get("/v1/config")
        assert asked == ["access/signing-keys", "principal/ann"]


class TestPlaces:
    """A place that the caller chooses: its namespace's own is its to use, any other takes the warehouse's manager."""

    def elsewhere(self, lake: GuardedCatalog) -> str:
        return f"{lake.url}/hidden/chosen"

    async def refused(self, lake: GuardedCatalog, path: str, body: Any, location: str) -> None:
        error = await lake.refused(403, "POST", path, body, headers=KEY)
        assert location in error["message"]
        assert "'manage' on warehouse lake" in error["message"]

    async def granted(self, lake: GuardedCatalog, path: str, body: Any) -> None:
        """The same request, under the same idempotency key, once the caller may."""
        await lake.hold("ann", (MANAGE, LAKE))
        await lake.ok("POST", path, body, headers=KEY)

    @pytest.mark.parametrize("staged", [False, True])
    async def test_a_table_elsewhere_takes_managing_the_warehouse(self, lake: GuardedCatalog, *, staged: bool) -> None:
        await lake.hold("ann", (MANAGE, NS))
        body = {**NEW_TABLE, "location": self.elsewhere(lake), "stage-create": staged}
        await self.refused(lake, "/namespaces/ns/tables", body, self.elsewhere(lake))
        await self.granted(lake, "/namespaces/ns/tables", body)

    async def test_a_view_elsewhere_takes_managing_the_warehouse(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (MANAGE, NS))
        body = new_view("v", location=self.elsewhere(lake))
        await self.refused(lake, "/namespaces/ns/views", body, self.elsewhere(lake))
        await self.granted(lake, "/namespaces/ns/views", body)

    async def test_a_commit_that_creates_a_table_elsewhere_takes_managing_the_warehouse(
        self, lake: GuardedCatalog
    ) -> None:
        await lake.hold("ann", (MANAGE, NS))
        body = commit(*creation(self.elsewhere(lake)), requirements=[ASSERT_CREATE])
        await self.refused(lake, table_path("t"), body, self.elsewhere(lake))
        await self.granted(lake, table_path("t"), body)

    async def test_moving_a_table_elsewhere_takes_managing_the_warehouse(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (MANAGE, NS))
        await lake.table()
        move = {"action": "set-location", "location": self.elsewhere(lake)}
        await self.refused(lake, table_path("t"), commit(move), self.elsewhere(lake))
        await self.granted(lake, table_path("t"), commit(move))
        # It stays where it was put, for whoever may write it.
        await lake.hold("ann", (WRITE, TABLE))
        assert (await lake.set_property("a", "b")).status_code == 200

    async def test_registering_a_file_elsewhere_takes_managing_the_warehouse(self, lake: GuardedCatalog) -> None:
        await lake.become("admin")
        await lake.namespace("hidden")
        file = (await lake.table("gone", ("hidden",)))["metadata-location"]
        await lake.ok("DELETE", table_path("gone", "hidden"))
        await lake.become("ann")
        await lake.hold("ann", (MANAGE, NS))
        body = {"name": "mine", "metadata-location": file}
        await self.refused(lake, "/namespaces/ns/register", body, file)
        await self.granted(lake, "/namespaces/ns/register", body)

    async def test_a_registered_file_does_not_lead_elsewhere_either(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (MANAGE, NS))
        metadata = (await lake.table())["metadata"]
        file = lake.root / "ns" / "t" / "metadata" / "made-up.metadata.json"
        file.write_text(json.dumps(metadata | {"location": self.elsewhere(lake)}))
        body = {"name": "mine", "metadata-location": f"file://{file}"}
        await self.refused(lake, "/namespaces/ns/register", body, self.elsewhere(lake))

    async def test_a_namespace_elsewhere_takes_managing_the_warehouse(self, lake: GuardedCatalog) -> None:
        """Else it would lead its tables there."""
        await lake.hold("ann", (MANAGE, NS))
        properties = {"location": self.elsewhere(lake)}
        await self.refused(lake, "/namespaces/ns/properties", {"updates": properties}, self.elsewhere(lake))
        body = {"namespace": ["ns", "inner"], "properties": properties}
        await self.refused(lake, "/namespaces", body, self.elsewhere(lake))
        await self.granted(lake, "/namespaces", body)
        await lake.hold("ann", (CREATE, NS))
        await lake.table(namespace=("ns", "inner"), location=f"{self.elsewhere(lake)}/t")

    async def test_the_namespaces_own_place_takes_no_more_than_creating(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (CREATE, NS), (WRITE, Securable("lake", ("ns",), "r")))
        await lake.ok(
            "POST", "/namespaces", {"namespace": ["ns", "in"], "properties": {"location": f"{lake.url}/ns/x"}}
        )
        await lake.table("u", location=f"{lake.url}/ns/chosen")
        await lake.table("u", ("ns", "in"), location=f"{lake.url}/ns/x/chosen")
        file = (await lake.table("r"))["metadata-location"]
        await lake.ok("DELETE", table_path("r"))
        await lake.ok("POST", "/namespaces/ns/register", {"name": "r", "metadata-location": file})

    async def test_the_place_that_the_catalog_chooses_takes_no_more_than_creating(self, lake: GuardedCatalog) -> None:
        """Also where the namespace's directory is a table's, and the table lies beside it."""
        await lake.hold("ann", (CREATE, NS))
        await lake.table("inner")
        await lake.ok("POST", "/namespaces", {"namespace": ["ns", "inner"]})
        body = {"name": "t", "schema": SCHEMA, "stage-create": True}
        staged = await lake.ok("POST", "/namespaces/ns%1Finner/tables", body)
        created = commit(*creation(staged["metadata"]["location"]), requirements=[ASSERT_CREATE])
        await lake.ok("POST", table_path("t", "ns", "inner"), created)

    async def test_outside_of_the_warehouse_is_no_question_of_grants(self, lake: GuardedCatalog) -> None:
        await lake.hold("ann", (CREATE, NS))
        body = {**NEW_TABLE, "location": "file:///elsewhere/t"}
        assert "not inside the warehouse" in (await lake.refused(400, "POST", "/namespaces/ns/tables", body))["message"]

    @pytest.mark.parametrize("levels", [("hidden",), ("hid", "den"), ("hid.den",)])
    async def test_a_table_that_the_caller_may_not_see_is_not_named(
        self, lake: GuardedCatalog, levels: tuple[str, ...]
    ) -> None:
        await lake.become("admin")
        for depth in range(1, len(levels) + 1):
            await lake.namespace(*levels[:depth])
        await lake.table("secret", levels, location=f"{lake.url}/ns/taken")
        await lake.become("ann")
        body = {**NEW_TABLE, "location": f"{lake.url}/ns/taken/t"}
        await lake.hold("ann", (CREATE, NS), (LIST, Securable("lake", ("hid",), "den.secret")))
        error = await lake.refused(400, "POST", "/namespaces/ns/tables", body)
        assert error["message"].endswith("it overlaps that of another table")
        await lake.hold("ann", (CREATE, NS), (LIST, Securable("lake", levels, "secret")))
        error = await lake.refused(400, "POST", "/namespaces/ns/tables", body)
        assert error["message"].endswith(f"it overlaps that of table {'.'.join(levels)}.secret")

    async def test_files_in_anothers_place_take_writing_that_table(self, lake: GuardedCatalog) -> None:
        await lake.become("admin")
        await lake.namespace("hidden")
        await lake.table("secret", ("hidden",))
        await lake.become("ann")
        paths = {"write.metadata.path": f"{lake.url}/hidden/secret/metadata", "gc.enabled": "false"}
        secret = Securable("lake", ("hidden",), "secret")
        await lake.hold("ann", (MANAGE, NS))
        error = await lake.refused(400, "POST", "/namespaces/ns/tables", {**NEW_TABLE, "properties": paths})
        assert error["message"].endswith("it overlaps the location of another table")
        await lake.hold("ann", (MANAGE, NS), (READ, secret))
        error = await lake.refused(400, "POST", "/namespaces/ns/tables", {**NEW_TABLE, "properties": paths})
        assert error["message"].endswith("it overlaps the location of table hidden.secret")
        await lake.hold("ann", (MANAGE, NS), (WRITE, secret))
        await lake.table(properties=paths)

    @pytest.mark.parametrize("name", ["write.metadata.path", "write.data.path"])
    async def test_a_property_leads_no_files_elsewhere_without_managing_the_warehouse(
        self, lake: GuardedCatalog, name: str
    ) -> None:
        await lake.hold("ann", (MANAGE, NS))
        await lake.table()
        body = commit(set_properties(**{name: f"{self.elsewhere(lake)}/x"}))
        await self.refused(lake, table_path("t"), body, self.elsewhere(lake))
        shared = commit(set_properties(**{name: f"{self.elsewhere(lake)}/x", "gc.enabled": "false"}))
        await self.refused(lake, table_path("t"), shared, self.elsewhere(lake))
        await self.granted(lake, table_path("t"), body)
        await lake.hold("ann", (WRITE, TABLE))
        assert (await lake.set_property("a", "b")).status_code == 200, "it stays, for whoever may write the table"

    async def test_but_to_another_namespace_of_ones_own(self, lake: GuardedCatalog) -> None:
        """As the ingest pipeline's copies do, before the table that they write for is there."""
        await lake.become("admin")
        await lake.namespace("far")
        await lake.become("ann")
        properties = {"write.data.path": f"{lake.url}/far/new/data", "gc.enabled": "false"}
        await lake.hold("ann", (CREATE, NS))
        await self.refused(
            lake, "/namespaces/ns/tables", {**NEW_TABLE, "properties": properties}, f"{lake.url}/far/new"
        )
        await lake.hold("ann", (CREATE, NS), (CREATE, Securable("lake", ("far",))))
        await lake.table(properties=properties)

    async def test_planning_reads_nothing_that_a_dropped_table_left_elsewhere(self, lake: GuardedCatalog) -> None:
        await lake.become("admin")
        await lake.namespace("hidden")
        lost = await ScannedTable.create(lake, "lost", namespace=["hidden"])
        await lost.snapshot(lost.manifest(File("secret")))
        left = f"file://{lost.directory}/metadata/snap-1.avro"
        await lake.ok("DELETE", lost.uri)
        await lake.become("ann")
        await lake.hold("ann", (MANAGE, NS))
        mine = await ScannedTable.create(lake)
        await mine.snapshot(**{"manifest-list": left})
        await self.refused(lake, f"{mine.uri}/plan", {}, left)
        await self.granted(lake, f"{mine.uri}/plan", {})

    async def test_planning_tells_tables_apart_that_are_written_alike(self, lake: GuardedCatalog) -> None:
        await lake.become("admin")
        for levels in (("a",), ("a", "b"), ("a.b",)):
            await lake.namespace(*levels)
        victim = await ScannedTable.create(lake, "c", namespace=["a", "b"])
        await victim.snapshot(victim.manifest(File("secret")))
        thief = await ScannedTable.create(lake, "c", namespace=["a.b"])
        await thief.snapshot(**{"manifest-list": f"file://{victim.directory}/metadata/snap-1.avro"})
        error = await lake.refused(400, "POST", f"{thief.uri}/plan", {})
        assert "lies in the location of another table" in error["message"]
