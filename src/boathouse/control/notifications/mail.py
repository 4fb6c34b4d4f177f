"""An event as a mail: plain text, and nothing in its headers that somebody else could have written."""

from collections.abc import Iterator, Mapping, Sequence
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from boathouse.control.connections.kinds.smtp import domain_of
from boathouse.control.database.base import now
from boathouse.control.notifications.models import Event

_SAID = {
    Event.RUN_FAILED: "{job} failed",
    Event.RUN_RECOVERED: "{job} works again",
    Event.SCHEDULE_MISSED: "{job} missed its schedule",
    Event.DEADLINE_MISSED: "{job} missed its deadline",
    Event.STREAM_ALERT: "{job} falls short of its aims",
}
# More lines than these nobody reads in a mail.
_MOST_TIMES = 10


def message(delivery_id: str, body: Mapping[str, Any], sender: str, recipients: Sequence[str]) -> EmailMessage:
    data = body["data"]
    domain = domain_of(sender)
    mail = EmailMessage()
    # The library refuses a header with a line break in it; and all of these are addresses, names and ids.
    mail["From"], mail["To"] = sender, ", ".join(recipients)
    mail["Subject"] = f"[{data['workspace']}] {headline(body)}"
    mail["Date"] = format_datetime(now())
    mail["Message-ID"] = f"<{delivery_id}@{domain}>"
    mail["List-Id"] = f"<{data['notification']}.{data['workspace']}.{domain}>"
    # So that nobody's holiday answers it.
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content("\n".join(_lines(delivery_id, body)) + "\n")
    return mail


def headline(body: Mapping[str, Any]) -> str:
    said = _SAID.get(body["type"], "A test")
    return said.format(job=body["data"].get("job"))


def _lines(delivery_id: str, body: Mapping[str, Any]) -> Iterator[str]:
    data = body["data"]
    yield f"{headline(body)}."
    yield ""
    yield f"Workspace   {data['workspace']}"
    yield f"Time        {body['timestamp']}"
    if (run := data.get("run")) is not None:
        yield from _run_lines(run)
    if (alert := data.get("alert")) is not None:
        yield from _alert_lines(alert)
    if (deadline := data.get("deadline_at")) is not None:
        yield f"Deadline    {deadline}"
    if (schedule := data.get("schedule")) is not None:
        yield from _schedule_lines(schedule)
    yield ""
    yield f"Sent by the notification {data['notification']}, delivery {delivery_id}."


def _run_lines(run: Mapping[str, Any]) -> Iterator[str]:
    yield f"Run         {run['id']}, {run['state']}, attempt {run['attempt']}"
    for label, field in (("Scheduled", "scheduled_for"), ("Started", "started_at"), ("Ended", "ended_at")):
        if run[field] is not None:
            yield f"{label:<12}{run[field]}"
    if run["error"]:
        yield f"Error       {run['error']}"
    if run.get("url"):
        yield f"Link        {run['url']}"


def _alert_lines(alert: Mapping[str, Any]) -> Iterator[str]:
    yield f"Alert       {alert['text']}"
    if alert["hop"]:
        yield f"Hop         {alert['hop']}"
    yield f"Since       {alert['since']}"


def _schedule_lines(schedule: Mapping[str, Any]) -> Iterator[str]:
    yield f"Reason      {schedule['reason']}"
    for time in schedule["missed"][-_MOST_TIMES:]:
        yield f"Missed      {time}"
    if (more := len(schedule["missed"]) - _MOST_TIMES) > 0:
        yield f"            and {more} before"
