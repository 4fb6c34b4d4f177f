"""Requests as they are sent, and what becomes of each kind of answer."""

import socket

import pytest

from boathouse.client.addresses import checked_url, is_loopback
from boathouse.client.client import ControlClient
from boathouse.client.events import Event
from boathouse.client.transport import place
from boathouse.kit.errors import (
    BoathouseError,
    ConfigurationError,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Unauthenticated,
    Unavailable,
    WorkFailed,
)
from tests.unit.client.small_server import Sent, SmallServer

VERIFIED = {"holds": True, "something": "of a newer server"}


def member(name: str) -> dict[str, str]:
    return {"name": name, "display_name": "", "role": "viewer"}


def test_the_token_is_sent_and_never_shown(server: SmallServer, client: ControlClient) -> None:
    server.tells(VERIFIED)
    assert client.audit.verify().holds
    assert server.asked[0].headers["Authorization"] == "Bearer bh_secret"
    assert "bh_secret" not in server.asked[0].path
    assert "bh_secret" not in f"{client!r} {client.transport!r} {vars(client.transport)}"


def test_pages_are_followed_to_the_last(server: SmallServer, client: ControlClient) -> None:
    server.tells({"items": [member("a"), member("b")], "next": "b"}, {"items": [member("c")], "next": None})
    names = [one["name"] for one in client.transport.pages("/members", dict[str, str], {"user": "x", "action": None})]
    assert names == ["a", "b", "c"]
    assert [asked.path.partition("?")[2] for asked in server.asked] == [
        "limit=500&user=x",
        "limit=500&user=x&cursor=b",
    ]


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid-input", InvalidInput),
        (400, "configuration", ConfigurationError),
        (401, "unauthenticated", Unauthenticated),
        (403, "forbidden", Forbidden),
        (404, "not-found", NotFound),
        (405, "method-not-allowed", InvalidInput),
        (409, "conflict", Conflict),
        (413, "too-large", InvalidInput),
        (422, "invalid-input", InvalidInput),
        (429, "too-many-requests", Unavailable),
        (500, "internal", WorkFailed),
        (503, "unavailable", Unavailable),
    ],
)
def test_a_refusal_comes_as_an_error_with_the_servers_words(
    server: SmallServer, client: ControlClient, status: int, code: str, kind: type[BoathouseError]
) -> None:
    server.refuses(status, code=code, message="It cannot be.", hint="Do otherwise.")
    with pytest.raises(kind, match=r"^It cannot be\.$") as caught:
        client.workspaces.create("north")
    assert type(caught.value) is kind
    assert caught.value.hint
    assert ("r-1" in caught.value.hint) == (status >= 500)
    assert ("Do otherwise." in caught.value.hint) == (status != 401)


def test_reading_is_tried_again_when_the_server_is_away_for_a_moment(
    server: SmallServer, client: ControlClient
) -> None:
    server.refuses(503, code="unavailable", message="Not now.")
    server.answers.append(Sent(content=b"{}", cut=True))
    server.tells(VERIFIED)
    assert client.audit.verify().holds
    assert len(server.asked) == 3


def test_a_change_is_never_sent_twice(server: SmallServer, client: ControlClient) -> None:
    server.answers.append(Sent(content=b"{}", cut=True))
    with pytest.raises(Unavailable, match="broke") as caught:
        client.workspaces.create("north")
    assert len(server.asked) == 1
    assert caught.value.hint is not None
    assert "not known" in caught.value.hint


def test_that_nobody_answers_says_what_to_do() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with ControlClient(url) as client, pytest.raises(Unavailable, match="Nobody answers") as caught:
            client.users.me()
    assert caught.value.hint is not None
    assert "boathouse up" in caught.value.hint


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (Sent(content=b"<html>welcome</html>"), InvalidInput),
        (Sent(302), InvalidInput),
        (Sent(404, b"no such page"), InvalidInput),
        (Sent(404, b'{"error": "no"}'), InvalidInput),
        (Sent(502, b"bad gateway"), Unavailable),
    ],
)
def test_something_else_at_that_address_is_said_so(
    server: SmallServer, client: ControlClient, sent: Sent, kind: type[BoathouseError]
) -> None:
    server.answers.append(sent)
    with pytest.raises(kind, match=server.url):
        client.workspaces.create("north")


def test_a_stream_goes_on_where_the_connection_broke(server: SmallServer, client: ControlClient) -> None:
    server.sends("id: 1\ndata: a\n\nid: 2\ndata: b", cut=True)
    server.sends("id: 2\ndata: b\n\nevent: end\ndata: done\n\n")
    events = list(client.transport.stream("/runs/x/log"))
    assert events == [Event("a", id="1"), Event("b", id="2"), Event("done", "end", "2")]
    assert "Last-Event-ID" not in server.asked[0].headers
    assert server.asked[1].headers["Last-Event-ID"] == "1"


def test_a_stream_of_which_nothing_is_left_ends(server: SmallServer, client: ControlClient) -> None:
    server.sends("id: 1\ndata: a\n\n")
    server.answers.append(Sent(204))
    assert [event.kind for event in client.transport.stream("/runs/x/log")] == ["message", "end"]


def test_a_stream_that_is_refused_says_why(server: SmallServer, client: ControlClient) -> None:
    server.refuses(404, code="not-found", message="There is no run.", hint="List them.")
    with pytest.raises(NotFound, match="There is no run"):
        list(client.transport.stream("/runs/x/log"))


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_a_name_that_would_lead_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="not a name"):
        place("workspaces", name)


def test_a_name_stays_one_part_of_a_path() -> None:
    assert place("workspaces", "a/../b?c#d", "members") == "/workspaces/a%2F..%2Fb%3Fc%23d/members"


@pytest.mark.parametrize("url", ["", "boathouse", "ftp://h", "http://", "http://h:x", "http://h?q=1", "http://u:p@h"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput):
        checked_url(url)


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("127.0.0.1:8092", "Say how to reach it: http://127.0.0.1:8092."),
        ("localhost:8092", "Say how to reach it: http://localhost:8092."),
        ("boathouse.example.org", "Say how to reach it: https://boathouse.example.org."),
        ("ftp://h", "Such as https://boathouse.example.org."),
        ("ann:oars@h", "Such as https://boathouse.example.org."),
    ],
)
def test_what_an_address_lacks_is_said(url: str, hint: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        checked_url(url)
    assert caught.value.hint == hint


def test_a_server_elsewhere_is_not_started_here() -> None:
    with ControlClient("http://boathouse.invalid") as client, pytest.raises(Unavailable) as caught:
        client.users.me()
    assert "boathouse up" not in (caught.value.hint or "")


def test_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(InvalidInput) as caught:
        checked_url("https://ann:oars@h")
    assert "oars" not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:1", True),
        ("http://[::1]:1", True),
        ("http://localhost", True),
        ("http://localhost.example.org", False),
        ("http://10.0.0.1", False),
    ],
)
def test_loopback_is_known(url: str, *, loopback: bool) -> None:
    assert is_loopback(url) is loopback
