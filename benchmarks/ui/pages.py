"""A first visit of a page, with nothing in the browser's cache."""

from typing import Any

import httpx
from playwright.sync_api import Browser, Page, expect

from tests.browser.visitor import Visitor
from tests.integration.control_process import ControlProcess

Json = dict[str, Any]
# Runs before anything of the page does.
_OBSERVE = """
window.seen = { lcp: 0, cls: 0, busy: 0, blocked: 0 };
const watch = (type, take) => new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true });
watch('largest-contentful-paint', one => { seen.lcp = one.startTime; });
watch('layout-shift', one => { if (!one.hadRecentInput) seen.cls += one.value; });
watch('longtask', one => { seen.busy = one.startTime + one.duration; seen.blocked += one.duration - 50; });
"""
_SEEN = """() => {
  const [fcp] = performance.getEntriesByName('first-contentful-paint');
  return { ...seen, fcp: fcp ? fcp.startTime : 0 };
}"""
# Without a request for so long a page is taken for loaded; what is asked for again and again comes less often.
_QUIET_MS = 1_000


def addresses(page: Page) -> dict[str, str]:
    """Every page that the navigation leads to, and the runs in their other view."""
    links = page.get_by_role("navigation", name="Main").get_by_role("link")
    expect(links.first).to_be_attached()
    found = {str(link.inner_text()).strip().lower(): str(link.get_attribute("href")) for link in links.all()}
    return {**found, "matrix": f"{found['runs']}?as=matrix"}


def visited(browser: Browser, control: ControlProcess, name: str, path: str, *, logged_in: bool = True) -> Json:
    visitor = Visitor.of(browser, control)
    if logged_in:
        _log_in_beside(visitor)
    page = visitor.page
    page.add_init_script(_OBSERVE)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.clearBrowserCache")
    sizes: list[float] = []

    def finished(event: Json) -> None:
        sizes.append(event["encodedDataLength"])

    session.on("Network.loadingFinished", finished)
    page.goto(path, wait_until="load")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[aria-busy=true], .mantine-Skeleton-root")).to_have_count(0)
    page.wait_for_timeout(_QUIET_MS)
    seen: dict[str, float] = page.evaluate(_SEEN)
    figures: Json = {
        "requests": len(sizes),
        "bytes": round(sum(sizes)),
        "gzip_bytes": _in_gzip(page),
        "fcp_ms": round(seen["fcp"]),
        "lcp_ms": round(seen["lcp"]),
        "usable_ms": round(max(seen["fcp"], seen["busy"])),
        "blocked_ms": round(seen["blocked"]),
        "cls": round(seen["cls"], 4),
    }
    page.context.close()
    _print(name, figures)
    return figures


def _log_in_beside(visitor: Visitor) -> None:
    """By the API, so that no page of the application is loaded before the one that is measured."""
    answer = visitor.page.request.post("/api/v1/login", data={"name": "admin", "password": visitor.control.password})
    assert answer.ok, answer.text()


def _in_gzip(page: Page) -> int:
    """The application's own files, as a browser without Brotli would get them."""
    files: list[str] = page.evaluate(
        "[location.href, ...performance.getEntriesByType('resource').map(one => one.name)]"
        ".filter(name => !name.includes('/api/'))"
    )
    with httpx.Client(headers={"Accept-Encoding": "gzip"}, trust_env=False) as client:
        return sum(len(_raw(client, name)) for name in files)


def _raw(client: httpx.Client, url: str) -> bytes:
    with client.stream("GET", url) as answer:
        return b"".join(answer.iter_raw())


def _print(name: str, one: Json) -> None:
    print(
        f"{name:12} {one['requests']:8} {one['bytes'] / 1000:11.0f} {one['gzip_bytes'] / 1000:8.0f} {one['fcp_ms']:9} "
        f"{one['lcp_ms']:8} {one['usable_ms']:10} {one['blocked_ms']:11} {one['cls']:6.3f}",
        flush=True,
    )
