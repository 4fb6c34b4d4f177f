"""The file that says how people log in by an identity provider."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from boathouse.control.access.roles import Role
from boathouse.control.identities.settings import ClientSecret, OidcSettings
from boathouse.kit.errors import ConfigurationError

DOCUMENT = Path(__file__).parents[4] / "docs" / "control-plane.md"
LEAST = {"issuer": "https://login.example.org", "client_id": "boathouse", "public_url": "https://boathouse.example.org"}


def written(path: Path, told: Any) -> Path:
    path.write_text(told if isinstance(told, str) else yaml.safe_dump(told))
    return path


def test_the_example_in_the_documents_can_be_used(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(issuer:.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    settings = OidcSettings.load(written(tmp_path / "oidc.yaml", example))
    assert settings.redirect_uri == "https://boathouse.example.org/api/v1/sessions/oidc/callback"
    assert settings.redirect_uri in DOCUMENT.read_text(encoding="utf-8")
    assert settings.workspaces == {"north": {"data": Role.VIEWER, "north-team": Role.EDITOR}}
    assert set(yaml.safe_load(example)) == set(OidcSettings.model_fields)


@pytest.mark.parametrize(
    "change",
    [
        {"issuer": "http://login.example.org"},
        {"issuer": "login.example.org"},
        {"issuer": "https://login.example.org?x=1"},
        {"public_url": "boathouse.example.org"},
        {"public_url": "https://ann:pw@boathouse.example.org"},
        {"client_id": ""},
        {"client_secret": "in clear"},
        {"workspaces": {"north": {"crew": "emperor"}}},
        {"isuer": "x"},
    ],
)
def test_what_makes_no_sense_is_named(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="cannot be used") as raised:
        OidcSettings.load(written(tmp_path / "oidc.yaml", LEAST | change))
    assert next(iter(change)) in str(raised.value)


@pytest.mark.parametrize("text", ["issuer: [", "- a list", ""])
def test_a_file_that_is_none_is_a_sentence(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"oidc\.yaml"):
        OidcSettings.load(written(tmp_path / "oidc.yaml", text))
    with pytest.raises(ConfigurationError, match="cannot be read"):
        OidcSettings.load(tmp_path / "none.yaml")


def test_the_secret_is_in_a_variable_or_a_file(tmp_path: Path) -> None:
    path = written(tmp_path / "secret", "oars\n")
    assert ClientSecret(file=path).read().get_secret_value() == "oars"
    assert ClientSecret(env="OARS").read({"OARS": "oars"}).get_secret_value() == "oars"
    for place in (ClientSecret(), ClientSecret(env="OARS", file=path), ClientSecret(file=tmp_path / "none")):
        with pytest.raises(ConfigurationError):
            place.read({})
    with pytest.raises(ConfigurationError, match="OARS is not set"):
        ClientSecret(env="OARS").read({})
