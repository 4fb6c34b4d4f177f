"""The web application: what a first visit of each page costs, and how smoothly a long list scrolls.

Measured in the system's Chromium on the built application, as served by a control plane whose database holds 100,000 runs.
BENCH_RUNS=1000 makes the history shorter, BENCH_ROWS=2000 the list that is scrolled.
"""

import os

from benchmarks.control.databases import control_on
from benchmarks.lakehouse import finish
from benchmarks.ui.pages import addresses, visited
from benchmarks.ui.scrolling import scrolled
from tests.browser.visitor import Visitor, chromium
from tests.integration.control_process import ControlProcess
from tests.integration.worker_process import Workspace
from tests.long_history import lengthen

RUNS = int(os.environ.get("BENCH_RUNS", "100000"))
ROWS = int(os.environ.get("BENCH_ROWS", "10000"))
JOBS = 40
# Of the aim: what a browser loads before the first page can be used.
SHELL_BYTES = 350_000


def main() -> None:
    with control_on("sqlite") as control, chromium() as browser:
        _fill(control)
        print(f"{'page':12} requests  kB as sent  kB gzip    FCP ms   LCP ms  usable ms  blocked ms    CLS", flush=True)
        login = visited(browser, control, "login", "/login", logged_in=False)
        pages = {"login": login}
        with_list = Visitor.of(browser, control)
        with_list.log_in()
        for name, path in addresses(with_list.page).items():
            pages[name] = visited(browser, control, name, path)
        scroll = scrolled(with_list.page, ROWS)
    first = pages["home"]["gzip_bytes"]
    print(f"The first load of the shell with home: {first / 1000:.0f} kB in gzip (aim: under {SHELL_BYTES // 1000})")
    finish("ui", {"runs": RUNS, "pages": pages, "scrolling": scroll})


def _fill(control: ControlProcess) -> None:
    workspace = Workspace(control)
    for number in range(JOBS):
        workspace.job(f"job-{number:02}", kind="sql", spec={"sql": "select 1"})
    workspace.submit("job-00")
    lengthen(control.database, RUNS)
    workspace.http.close()
