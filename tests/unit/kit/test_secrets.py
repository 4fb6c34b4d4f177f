"""Secrets are made once and are nobody else's to read."""

from pathlib import Path

from boathouse.kit.secrets import kept_secret


def test_a_secret_is_made_once_and_found_again(tmp_path: Path) -> None:
    first = kept_secret(tmp_path / "secrets", "token")
    assert kept_secret(tmp_path / "secrets", "token") == first
    assert len(first.get_secret_value()) == 32
    assert first.get_secret_value().isalnum()


def test_secrets_differ(tmp_path: Path) -> None:
    assert kept_secret(tmp_path, "a") != kept_secret(tmp_path, "b")


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    kept_secret(tmp_path / "secrets", "token")
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "secrets" / "token").stat().st_mode & 0o777 == 0o600


def test_it_does_not_show_itself(tmp_path: Path) -> None:
    secret = kept_secret(tmp_path, "token")
    assert secret.get_secret_value() not in f"{secret} {secret!r}"
