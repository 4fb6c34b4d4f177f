"""Ports stay the same where they can, and move out of the way where they may."""

import json
import os
import socket
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from boathouse.kit.errors import ConfigurationError
from boathouse.stack.ports import PortBook, PortWish, is_free


@pytest.fixture
def book(tmp_path: Path) -> Iterator[PortBook]:
    book = PortBook(tmp_path / "ports.json", tmp_path / "reserved")
    yield book
    book.release()


@contextmanager
def listening(port: int = 0, address: str = "127.0.0.1") -> Generator[int]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, port), family=family) as server:
        yield server.getsockname()[1]


def free_port() -> int:
    with listening() as port:
        return port


def test_a_free_default_is_taken(book: PortBook) -> None:
    port = free_port()
    assert book.assign([PortWish("catalog", port)]) == {"catalog": port}


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0", "::1"])
def test_a_taken_default_gives_way_to_the_next_free_port(book: PortBook, address: str) -> None:
    with listening(address=address) as taken:
        chosen = book.assign([PortWish("catalog", taken)])["catalog"]
    assert chosen > taken


def test_two_wishes_for_one_port_get_two(book: PortBook) -> None:
    port = free_port()
    chosen = book.assign([PortWish("a", port), PortWish("b", port)])
    assert chosen["a"] == port
    assert chosen["b"] > port


def test_a_chosen_port_is_kept_for_the_next_start(book: PortBook) -> None:
    with listening() as taken:
        first = book.assign([PortWish("catalog", taken)])
    book.release()
    assert is_free(taken)
    assert book.assign([PortWish("catalog", taken)]) == first


def test_a_kept_port_that_is_taken_meanwhile_is_given_up(book: PortBook, tmp_path: Path) -> None:
    with listening() as taken:
        (tmp_path / "ports.json").write_text(json.dumps({"catalog": taken}))
        assert book.assign([PortWish("catalog", free_port())])["catalog"] != taken


def test_a_damaged_book_is_begun_anew(book: PortBook, tmp_path: Path) -> None:
    (tmp_path / "ports.json").write_text("{")
    port = free_port()
    assert book.assign([PortWish("catalog", port)]) == {"catalog": port}


def test_a_configured_port_that_is_taken_is_an_error_that_names_the_holder(book: PortBook) -> None:
    with listening() as taken, pytest.raises(ConfigurationError, match=f"catalog.port is {taken}") as refused:
        book.assign([PortWish("catalog", 8181, taken, "catalog.port")])
    assert f"process {os.getpid()}" in str(refused.value)


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_port_reserved_by_another_lakehouse_is_left_to_it(
    book: PortBook, tmp_path: Path, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    port = free_port()
    other = PortBook(tmp_path / "other.json", tmp_path / "reserved")
    assert book.assign([PortWish("catalog", port)])["catalog"] == port
    assert other.assign([PortWish("catalog", port)])["catalog"] > port
    other.release()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it takes a cache that both share")
def test_a_lakehouse_with_another_cache_leaves_it_too(book: PortBook, tmp_path: Path) -> None:
    port = free_port()
    other = PortBook(tmp_path / "other.json", tmp_path / "reserved elsewhere")
    assert book.assign([PortWish("spark", port)])["spark"] == port
    assert other.assign([PortWish("spark", port)])["spark"] > port
    other.release()
