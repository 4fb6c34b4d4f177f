"""A list of thousands of rows scrolled from its top to its end, frame by frame."""

from itertools import pairwise
from statistics import quantiles
from typing import Any

from playwright.sync_api import Locator, Page, expect

# A frame on a screen of 60 Hz; one and a half of it is one that was left out.
_FRAME_MS = 1000 / 60
_ROW = 38
_SECONDS = 8
# As far in each frame as takes eight seconds at sixty frames a second. Frames that come late scroll no further.
_SCROLL = """(rows, [pixels, frames]) => new Promise(done => {
  const times = [];
  const step = now => {
    times.push(now);
    rows.scrollTop += pixels;
    times.length <= frames ? requestAnimationFrame(step) : done(times);
  };
  rows.scrollTop = 0;
  requestAnimationFrame(step);
})"""


def scrolled(page: Page, count: int) -> dict[str, Any]:
    page.goto("/w/north/runs")
    rows = page.get_by_role("table", name="Runs").get_by_role("rowgroup").last
    expect(page.get_by_role("link", name="job-").first).to_be_visible()
    _load(page, rows, count)
    frames = _SECONDS * 60
    times: list[float] = rows.evaluate(_SCROLL, [count * _ROW / frames, frames])
    drawn: int = rows.locator("[role=row]").count()
    return _told(count, [after - before for before, after in pairwise(times)], drawn)


def _load(page: Page, rows: Locator, count: int) -> None:
    """By scrolling to the end, page by page, as somebody would who holds the key down."""
    table = page.get_by_role("table", name="Runs")
    while int(table.get_attribute("aria-rowcount") or 0) < count:
        rows.evaluate("rows => rows.scrollTo(0, rows.scrollHeight)")
        page.wait_for_timeout(20)


def _told(count: int, frames: list[float], drawn: int) -> dict[str, Any]:
    cuts = quantiles(frames, n=100)
    dropped = sum(round(frame / _FRAME_MS) - 1 for frame in frames if frame > 1.5 * _FRAME_MS)
    figures = {
        "rows": count,
        "rows_drawn": drawn,
        "frame_p50_ms": round(cuts[49], 1),
        "frame_p95_ms": round(cuts[94], 1),
        "frame_p99_ms": round(cuts[98], 1),
        "frames": len(frames),
        "dropped": dropped,
    }
    print(
        f"a list of {count:,} rows scrolled through in {len(frames)} frames: p50 {figures['frame_p50_ms']} ms, "
        f"p95 {figures['frame_p95_ms']} ms, {dropped} frames left out, {drawn} rows drawn",
        flush=True,
    )
    return figures
