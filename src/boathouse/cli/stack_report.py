"""How a lakehouse's state, logs and check-up look in a terminal, or as JSON."""

import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import psutil
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from boathouse.kit.errors import NotFound
from boathouse.kit.settings import Settings
from boathouse.stack.doctor import Finding, Verdict, examine
from boathouse.stack.home import Home
from boathouse.stack.lifecycle import Lakehouse
from boathouse.stack.logs import follow as follow_log
from boathouse.stack.logs import last_lines, size_of
from boathouse.stack.processes import ProcessIdentity
from boathouse.stack.status import ServiceStatus, StackStatus, State

_COLOURS = {State.HEALTHY: "green", State.UNHEALTHY: "red", State.FAILED: "red"}
_MARKS = {Verdict.OK: "[green]ok[/]", Verdict.WARN: "[yellow]warn[/]", Verdict.FAIL: "[red]fail[/]"}


def show_status(lakehouse: Lakehouse, *, as_json: bool) -> bool:
    """True if all of it is healthy."""
    status = lakehouse.status()
    if as_json:
        sys.stdout.write(json.dumps(_status_json(lakehouse.home, status), indent=2) + "\n")
    elif status is None:
        sys.stdout.write(f"The lakehouse in {lakehouse.home.path} is not running. Start it with `boathouse up`.\n")
    else:
        _console().print(_status_table(status))
    return status is not None and status.healthy


def show_log(home: Home, service: str, *, lines: int, follow: bool) -> None:
    path = home.log(service)
    if not path.exists():
        known = ", ".join(sorted(log.stem for log in home.logs.glob("*.log"))) or "none yet"
        raise NotFound(f"There is no log of {service!r} in {home.logs}.", hint=f"There are logs of: {known}.")
    end = size_of(path)
    for line in last_lines(path, lines, end=end):
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
    try:
        for text in follow_log(path, end) if follow else ():
            sys.stdout.write(text)
            sys.stdout.flush()
    except KeyboardInterrupt:
        return


def show_checkup(settings: Settings, *, as_json: bool) -> bool:
    """True if nothing stands in the way of a start."""
    findings = examine(settings)
    if as_json:
        sys.stdout.write(json.dumps([finding.json() for finding in findings], indent=2) + "\n")
    else:
        _console().print(_findings_table(findings))
    return all(finding.verdict is not Verdict.FAIL for finding in findings)


def _status_json(home: Home, status: StackStatus | None) -> dict[str, Any]:
    services = [_service_json(service) for service in status.services] if status else []
    return {
        "home": str(home.path),
        "running": status is not None,
        "healthy": status is not None and status.healthy,
        "profile": status.profile if status else None,
        "supervisor": {"pid": status.pid, "memory": _memory(status.supervisor)} if status else None,
        "services": services,
    }


def _service_json(service: ServiceStatus) -> dict[str, Any]:
    process = service.process()
    return {
        "name": service.name,
        "state": service.state.value,
        "detail": service.detail,
        "pid": service.pid,
        "address": service.address,
        "memory": _memory(process) if process else None,
        "uptime": round(time.time() - service.started_at, 1) if service.started_at else None,
        "restarts": service.restarts,
    }


def _status_table(status: StackStatus) -> Table:
    table = Table("service", "state", "pid", "address", "memory", "uptime", "restarts", box=None, pad_edge=False)
    for service in status.services:
        row = _service_json(service)
        state = f"[{_COLOURS.get(service.state, 'yellow')}]{service.state}[/]"
        memory = f"{row['memory'] / 1e6:.0f} MB" if row["memory"] else "-"
        uptime = _duration(row["uptime"]) if row["uptime"] is not None else "-"
        described = escape(service.address) + (f"\n[dim]{escape(service.detail)}[/]" if service.detail else "")
        table.add_row(service.name, state, str(service.pid or "-"), described, memory, uptime, str(service.restarts))
    return table


def _findings_table(findings: Sequence[Finding]) -> Table:
    table = Table("check", "", "found", box=None, pad_edge=False)
    for finding in findings:
        advice = f"\n[bold]→[/] {escape(finding.advice)}" if finding.advice else ""
        table.add_row(finding.name, _MARKS[finding.verdict], escape(finding.detail) + advice)
    return table


def _console() -> Console:
    """As wide as the terminal; where there is none, wide enough that no program has to join lines again."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 240)


def _memory(leader: ProcessIdentity) -> int:
    """Resident bytes of the process and all of its session."""
    total = 0
    for pid in leader.session():
        try:
            total += psutil.Process(pid).memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
