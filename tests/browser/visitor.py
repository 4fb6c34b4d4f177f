"""Somebody in front of the web application: a page of the system's Chromium, and what they would complain about."""

import os
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.integration.control_process import ControlProcess

ROOT = Path(__file__).parents[2]
AXE = ROOT / "ui" / "node_modules" / "axe-core" / "axe.min.js"
SCREENSHOTS = ROOT / "docs" / "screenshots"
# Milliseconds, for a machine with better things to do; whoever writes a test wants to hear sooner.
PATIENCE = 1000 * int(os.environ.get("BROWSER_PATIENCE", "120"))
# Tabs can be read, and of a long list five rows are seen.
TABS_AT_LEAST, LIST_AT_LEAST = 30, 220
WIDTHS = {"wide": (1280, 800), "narrow": (400, 800)}
_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
)
# A part that scrolls by itself may be lower than what is in it, but not so low that nothing of it is seen.
_SQUEEZED = """() => {
  const page = document.querySelector('[data-whole]');
  const parts = [...(page?.children ?? [])].filter((part) => part.getBoundingClientRect().height > 0);
  const name = (part) => part.getAttribute('aria-label') ?? part.tagName;
  return parts.flatMap((part, place) => {
    const [box, next] = [part.getBoundingClientRect(), parts[place + 1]?.getBoundingClientRect()];
    const scrolls = getComputedStyle(part).overflowY !== 'visible';
    const low = scrolls ? box.height < 25 : !part.matches('[data-fill]') && part.scrollHeight > part.clientHeight + 1;
    return [low && `${name(part)} is squeezed`, next && box.bottom > next.top + 1 && `${name(part)} reaches too far`]
      .filter(Boolean);
  });
}"""
Theme = Literal["light", "dark"]


@contextmanager
def chromium() -> Generator[Browser]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    assert program, "The tests of the web application need Chromium: run tests/browser/install-chromium."
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*_FLAGS])
        yield browser
        browser.close()


@dataclass
class Visitor:
    page: Page
    control: ControlProcess
    complaints: list[str] = field(default_factory=list[str])
    """What the browser's console complained about, such as what the content security policy refused."""

    @classmethod
    def of(cls, browser: Browser, control: ControlProcess, theme: Theme = "light") -> "Visitor":
        context = browser.new_context(base_url=control.url, color_scheme=theme, viewport={"width": 1280, "height": 800})
        context.set_default_timeout(PATIENCE)
        visitor = cls(context.new_page(), control)
        visitor.page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
        visitor.page.on("console", lambda said: visitor._heard(said.type, said.text))
        return visitor

    def log_in(self, name: str = "admin", password: str | None = None) -> None:
        self.page.goto("/login")
        self.page.locator("input[name=name]").fill(name)
        self.page.locator("input[name=password]").fill(password or self.control.password)
        self.page.get_by_role("button", name="Log in").click()
        expect(self.page.get_by_role("navigation", name="Main")).to_be_attached()

    def go(self, path: str, title: str | re.Pattern[str]) -> None:
        self.page.goto(path)
        self.sees_title(title)

    def sees_title(self, title: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_role("heading", level=1, name=title)).to_be_visible()

    def looks_well(self, name: str) -> None:
        """No violation of axe at both widths, nothing wider than the window or over something else; with SCREENSHOTS=1 a
        picture of each."""
        for width, (across, down) in WIDTHS.items():
            self.page.set_viewport_size({"width": across, "height": down})
            self._settled()
            for theme in ("light", "dark"):
                self.page.emulate_media(color_scheme=theme)
                self._settled()
                assert self.page.evaluate("document.documentElement.scrollWidth") <= across, f"{name} is too wide"
                assert not self.squeezed(), f"{name}, {width}: {self.squeezed()}"
                found = self.violations()
                assert not found, f"{name}, {width}, {theme}: {found}"
                self._picture(f"{name}-{width}-{theme}")
        self.page.set_viewport_size({"width": 1280, "height": 800})

    def violations(self) -> list[str]:
        if not self.page.evaluate("'axe' in window"):
            # Not as an element of the page, which its policy would refuse.
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found: dict[str, Any] = self.page.evaluate("axe.run({ resultTypes: ['violations'] })")
        return [_told(violation) for violation in found["violations"]]

    def squeezed(self) -> list[str]:
        """On a page that ends with the window: what is lower than what is in it, or reaches over what follows."""
        return self.page.evaluate(_SQUEEZED)

    def _settled(self) -> None:
        expect(self.page.locator("[aria-busy=true], [data-loading], .mantine-Skeleton-root")).to_have_count(0)
        # Colours fade from one theme to the other.
        self.page.wait_for_timeout(250)

    def _picture(self, name: str) -> None:
        if os.environ.get("SCREENSHOTS"):
            SCREENSHOTS.mkdir(exist_ok=True)
            self.page.screenshot(path=SCREENSHOTS / f"{name}.png")

    def _heard(self, kind: str, text: str) -> None:
        # A refusal is the page's to tell, and it does; nothing else should be in the console.
        if kind == "error" and not text.startswith(("Failed to load resource", "Problem: ")):
            self.complaints.append(text)


def height(found: Locator) -> float:
    box = found.bounding_box()
    assert box, f"{found} is not there"
    return box["height"]


def _told(violation: dict[str, Any]) -> str:
    places = [f"{node['html'][:160]} ({node.get('failureSummary', '')})" for node in violation["nodes"][:3]]
    return f"{violation['id']}: {violation['help']}: {'; '.join(places)}"
