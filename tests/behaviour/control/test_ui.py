"""The web application as it is served: whole, cached by its names, and never in the way of the API."""

from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest

from boathouse.control.database import Database
from boathouse.control.options import ApiOptions
from tests.behaviour.control.control_plane import ControlPlane

INDEX = "<!doctype html><title>Boathouse</title><script type=module src=/assets/index-a1b2.js></script>"
PAGE = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """What a build leaves behind, in short."""
    directory = tmp_path / "dist"
    (directory / "assets").mkdir(parents=True)
    (directory / "index.html").write_text(INDEX)
    for suffix, content in (("", b"plain"), (".br", b"brotli"), (".gz", b"gzip")):
        (directory / "assets" / f"index-a1b2.js{suffix}").write_bytes(content)
    (tmp_path / "secret.txt").write_text("not for browsers")
    (directory / "link.txt").symlink_to(tmp_path / "secret.txt")
    return directory


@pytest.fixture
async def browser(database: Database, built: Path) -> AsyncGenerator[httpx.AsyncClient]:
    async with ControlPlane(database, options=ApiOptions(ui=built)) as control:
        yield control.caller().http


@pytest.mark.parametrize("path", ["/", "/login", "/w/north/runs", "/w/north/runs/1?tab=log"])
async def test_every_address_of_its_own_is_answered_by_it(browser: httpx.AsyncClient, path: str) -> None:
    page = await browser.get(path, headers=PAGE)
    assert (page.status_code, page.text) == (200, INDEX)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.headers["Cache-Control"] == "no-cache"


async def test_no_script_but_its_own_runs_in_it_and_nobody_frames_it(browser: httpx.AsyncClient) -> None:
    headers = (await browser.get("/", headers=PAGE)).headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert (policy["default-src"], policy["script-src"], policy["frame-ancestors"]) == ("'none'", "'self'", "'none'")
    assert policy["connect-src"] == "'self'"
    assert headers["X-Content-Type-Options"] == "nosniff"


async def test_files_with_hashed_names_are_kept_for_good_and_come_compressed(browser: httpx.AsyncClient) -> None:
    for accepted, encoding in (("gzip, br", "br"), ("gzip", "gzip"), ("identity", None)):
        async with browser.stream("GET", "/assets/index-a1b2.js", headers={"Accept-Encoding": accepted}) as answer:
            raw = b"".join([part async for part in answer.aiter_raw()])
        assert raw == {"br": b"brotli", "gzip": b"gzip", None: b"plain"}[encoding]
        assert answer.headers.get("Content-Encoding") == encoding
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert answer.headers["Content-Type"].startswith("text/javascript")


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/api/v1/nothing"), ("POST", "/api/v1/nothing"), ("GET", "/api/nothing"), ("POST", "/w/north")],
)
async def test_what_is_not_there_in_the_api_stays_a_404_in_json(
    browser: httpx.AsyncClient, method: str, path: str
) -> None:
    answer = await browser.request(method, path, headers=PAGE)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")


async def test_a_program_that_asks_for_no_page_gets_none(browser: httpx.AsyncClient) -> None:
    for path in ("/w/north/runs", "/assets/index-old.js"):
        assert (await browser.get(path, headers={"Accept": "*/*"})).status_code == 404


@pytest.mark.parametrize("path", ["/link.txt", "/%2e%2e/secret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "/a%00b"])
async def test_nothing_outside_of_it_is_served(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(path, headers={"Accept": "*/*"})
    assert answer.status_code == 404
    assert "not for browsers" not in answer.text


async def test_what_machines_ask_for_keeps_its_address(browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/readyz", headers=PAGE)).json() == {"status": "ready"}
    assert "boathouse_control_requests" in (await browser.get("/metrics", headers=PAGE)).text


async def test_a_new_build_is_served_without_a_new_start(browser: httpx.AsyncClient, built: Path) -> None:
    (built / "assets" / "index-c3d4.js").write_text("newer")
    assert (await browser.get("/assets/index-c3d4.js")).text == "newer"


async def test_where_it_was_not_built_the_first_page_says_what_to_do(database: Database, tmp_path: Path) -> None:
    async with ControlPlane(database, options=ApiOptions(ui=tmp_path)) as control:
        page = await control.caller().http.get("/", headers=PAGE)
        assert "make ui" in page.text
        assert (await control.caller().http.get("/w/north", headers=PAGE)).status_code == 404
