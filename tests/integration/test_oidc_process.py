"""The control plane with an identity provider, both as people start them."""

import asyncio
import subprocess
import sys
from pathlib import Path

import httpx
import yaml

from tests.identity_provider.provider import CLIENT, CLIENT_SECRET, IdentityProvider, log_in_at_provider
from tests.integration.control_process import ControlProcess

PLACE = "/api/v1/sessions/oidc"


def test_a_browser_logs_in_by_the_file_that_the_server_was_given(tmp_path: Path) -> None:
    file, secret = tmp_path / "oidc.yaml", tmp_path / "secret"
    control = ControlProcess(tmp_path, None, "--oidc", str(file))
    secret.write_text(CLIENT_SECRET)
    with IdentityProvider(tmp_path, f"{control.url}{PLACE}/callback") as provider:
        settings = {
            "issuer": provider.issuer,
            "client_id": CLIENT,
            "client_secret": {"file": str(secret)},
            "public_url": control.url,
            "name_claim": "sub",
            "admin_groups": ["harbour"],
        }
        file.write_text(yaml.safe_dump(settings))
        provider.has(ann=["harbour"])
        with control, httpx.Client(base_url=control.url, trust_env=False, timeout=60) as browser:
            away = browser.get(f"{PLACE}/start", params={"next": "/healthz"}).headers["location"]
            back = asyncio.run(log_in_at_provider(away, "ann"))
            landed = browser.get(back, follow_redirects=True)
            assert (landed.status_code, landed.url.path) == (200, "/healthz")
            assert browser.get("/api/v1/me").json()["is_platform_admin"]
            assert browser.get("/api/v1/audit/verify").json()["holds"]
    log = (tmp_path / "log").read_text()
    assert httpx.URL(back).params["code"] not in log
    assert CLIENT_SECRET not in log


def test_a_file_that_cannot_be_used_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "oidc.yaml").write_text("issuer: http://login.example.org\n")
    command = [sys.executable, "-m", "boathouse.cli.main", "control", "serve", "--port", "0"]
    command += ["--database", f"sqlite:///{tmp_path}/control.db", "--oidc", str(tmp_path / "oidc.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode != 0
    assert "client_id: is missing" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "control.db").exists()
