"""The identity provider as tests use it: a process of its own, and a browser that logs in there."""

import json
import os
import re
import shutil
import subprocess
import time
from html import unescape
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urljoin

import httpx

from tests.integration.catalog_process import free_port

PASSWORD = "a lantern by the pier"
CLIENT = "boathouse"
CLIENT_SECRET = "the oars: under the boat"
# The first start anywhere fetches what it needs.
_START_SECONDS = 180
_FIELD = re.compile(r'<input[^>]*\bname="([^"]+)"[^>]*\bvalue="([^"]*)"', re.DOTALL)


class IdentityProvider:
    def __init__(self, directory: Path, redirect_uri: str) -> None:
        self.port = free_port()
        self.issuer = f"http://localhost:{self.port}"
        self._log = directory / "provider.log"
        self._redirect_uri = redirect_uri
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        command = [find_uv(), "run", "--quiet", "--no-project", "--script", str(Path(__file__).parent / "serve.py")]
        # It may speak plain HTTP: nothing leaves this machine.
        environment = {**os.environ, "AUTHLIB_INSECURE_TRANSPORT": "1"}
        environment.pop("VIRTUAL_ENV", None)
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
            )
        client = {"id": CLIENT, "secret": CLIENT_SECRET, "redirect_uri": self._redirect_uri}
        self._tell({"port": self.port, "password": PASSWORD, "client": client})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._process is not None
        # It ends when nobody talks to it any more, however the test ended.
        self._process.communicate(timeout=60)

    def has(self, **users: list[str]) -> None:
        """These users are there from now on, in these groups."""
        self._tell({"users": users})

    def _tell(self, what: dict[str, Any]) -> None:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(what) + "\n")
        process.stdin.flush()
        began = time.monotonic()
        answer = process.stdout.readline()
        assert answer == "done\n", f"{self._log.read_text()} after {time.monotonic() - began:.0f} s"


async def log_in_at_provider(address: str, user: str, password: str = PASSWORD) -> str:
    """Follow the address as a browser does, fill in what is asked, and say where the provider sends the browser then."""
    issuer = httpx.URL(address).copy_with(path="/", query=None)
    async with httpx.AsyncClient(trust_env=False, timeout=60) as browser:
        response = await browser.get(address)
        for _ in range(12):
            if response.is_redirect:
                following = urljoin(str(response.url), response.headers["location"])
                if httpx.URL(following).netloc != issuer.netloc:
                    return following
                response = await browser.get(following)
            else:
                filled = {**_fields(response.text), "login": user, "password": password}
                response = await browser.post(response.url, data=filled)
    raise AssertionError(f"The provider asks on and on: {response.text}")


def _fields(page: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _FIELD.findall(page)}


def find_uv() -> str:
    """The one that runs the tests, or one on the path."""
    found = os.environ.get("UV") or shutil.which("uv") or str(Path(".uv/bin/uv").resolve())
    assert Path(found).exists(), "The identity provider is installed by uv: run the tests by `make` or `uv run`."
    return found
