"""What a mail says of each event."""

import pytest

from boathouse.control.notifications.mail import message
from boathouse.control.notifications.models import Event

RUN = {
    "id": "r1",
    "state": "failed",
    "attempt": 2,
    "error": "no oars",
    "scheduled_for": None,
    "started_at": "2026-01-31T06:00",
    "ended_at": None,
}
SCHEDULE = {"reason": "no worker was there in time", "missed": [f"2026-01-{day:02}" for day in range(1, 13)]}


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Event.RUN_FAILED, "daily failed"),
        (Event.RUN_RECOVERED, "daily works again"),
        (Event.SCHEDULE_MISSED, "daily missed its schedule"),
        (Event.DEADLINE_MISSED, "daily missed its deadline"),
        (Event.STREAM_ALERT, "daily falls short of its aims"),
        ("test", "A test"),
    ],
)
def test_every_event_has_its_words(event: str, said: str) -> None:
    data = {"workspace": "north", "notification": "all", "job": "daily"}
    mail = message("d1", {"type": event, "timestamp": "2026", "data": data}, "a@harbour.org", ["b@harbour.org"])
    assert mail["Subject"] == f"[north] {said}"
    assert f"{said}." in mail.get_content()


def test_it_says_what_is_known_of_the_run_and_of_the_schedule() -> None:
    data = {"workspace": "north", "notification": "all", "job": "daily", "run": RUN, "schedule": SCHEDULE}
    body = {"type": "schedule-missed", "timestamp": "2026", "data": data}
    text = message("d1", body, "a@harbour.org", ["b@harbour.org"]).get_content()
    assert "Run         r1, failed, attempt 2" in text
    assert "Started     2026-01-31T06:00" in text
    assert "Ended" not in text
    assert "and 2 before" in text


def test_an_alert_names_its_hop_if_it_has_one() -> None:
    for hop, lines in (("speed", ["Hop         speed"]), ("", [])):
        alert = {"hop": hop, "text": "It is late.", "since": "2026-01-31T06:00"}
        data = {"workspace": "north", "notification": "all", "job": "meters", "alert": alert}
        body = {"type": "stream-alert", "timestamp": "2026", "data": data}
        text = message("d1", body, "a@harbour.org", ["b@harbour.org"]).get_content()
        assert "Alert       It is late." in text
        assert [line for line in text.splitlines() if line.startswith("Hop")] == lines


def test_a_line_break_gets_into_no_header() -> None:
    data = {"workspace": "north", "notification": "all", "job": "daily\nBcc: x@y.org"}
    body = {"type": "run-failed", "timestamp": "2026", "data": data}
    with pytest.raises(ValueError, match="linefeed"):
        message("d1", body, "a@harbour.org", ["b@harbour.org"])
