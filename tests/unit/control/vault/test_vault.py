"""What is sealed opens again, for what it was sealed for, and for nothing else."""

import secrets
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.control.vault import Keyring, Vault
from boathouse.kit.errors import ConfigurationError


def vault() -> Vault:
    return Vault(Keyring("1", {"1": b"k" * 32}))


@given(st.text(min_size=1), st.text())
def test_what_is_sealed_opens_again(secret: str, belongs_to: str) -> None:
    secret, belongs_to = (text.encode("utf-8", "replace").decode() for text in (secret, belongs_to))
    sealed = vault().seal(secret, belongs_to)
    assert vault().open(sealed, belongs_to) == secret
    assert set(sealed) == {"key", "wrapped", "secret"}


def test_the_same_secret_is_never_sealed_alike() -> None:
    first, second = (vault().seal("secret", "x") for _ in range(2))
    assert first["secret"] != second["secret"]
    assert first["wrapped"] != second["wrapped"]


@pytest.mark.parametrize("part", ["wrapped", "secret"])
def test_what_was_changed_does_not_open(part: str) -> None:
    sealed = vault().seal("secret", "x")
    other = vault().seal("other", "x")
    with pytest.raises(ConfigurationError, match="does not open"):
        vault().open({**sealed, part: other[part]}, "x")


def test_it_does_not_open_for_somebody_else() -> None:
    with pytest.raises(ConfigurationError, match="belongs to something else"):
        vault().open(vault().seal("secret", "connection 1 password"), "connection 2 password")


def test_a_new_key_opens_the_old_secrets_and_can_take_them_over(tmp_path: Path) -> None:
    file = tmp_path / "keys" / "keys.json"
    old = Keyring.load(file)
    sealed = Vault(old).seal("secret", "x")
    new = Keyring.load(file).with_new_key().saved(file)
    assert Keyring.load(file) == new
    assert Vault(new).open(sealed, "x") == "secret"
    taken = Vault(new).rewrapped(sealed, "x")
    assert taken["secret"] == sealed["secret"]
    assert Vault(new.without_old(())).open(taken, "x") == "secret"
    with pytest.raises(ConfigurationError, match="not in the keyring"):
        Vault(new.without_old(())).open(sealed, "x")


def test_the_keys_are_their_owners_alone_and_made_once(tmp_path: Path) -> None:
    file = tmp_path / "keys" / "keys.json"
    assert Keyring.load(file) == Keyring.load(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_of_two_servers_that_start_at_once_both_have_the_keys_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "keys.json"
    others = Keyring("1", {"1": b"o" * 32})

    def while_another_starts(count: int) -> bytes:
        file.write_bytes(others.written())
        return b"m" * count

    monkeypatch.setattr(secrets, "token_bytes", while_another_starts)
    assert Keyring.load(file) == others
    assert [one.name for one in tmp_path.iterdir()] == ["keys.json"]


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"current": "1", "keys": {"1": "short"}}', '{"current": "2", "keys": {}}']
)
def test_a_damaged_file_is_refused_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(content)
    with pytest.raises(ConfigurationError, match="does not hold keys"):
        Keyring.load(file)
    assert file.read_text() == content


def test_a_directory_that_was_there_stays_open_and_one_that_takes_no_file_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Keyring.load(tmp_path / "keys.json")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="cannot be written") as told:
        Keyring("1", {"1": b"k" * 32}).saved(tmp_path / "file" / "keys.json")
    assert "--keys" in (told.value.hint or "")
