"""A mail server in a process: `python smtp_program.py DIRECTORY SECURITY` says its port, and writes each message to a file.

The user is harbour, and there is no nobody@harbour.org.
"""

import asyncio
import ssl
import sys
from itertools import count
from pathlib import Path
from typing import Any

PASSWORD = "the-oars-are-under-the-boat"
_NUMBERS = count(1)


class Mailbox:
    def __init__(self, directory: Path) -> None:
        self._directory = directory

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if address.startswith("nobody@"):
            return "550 No such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        new = self._directory / f"{next(_NUMBERS):06}"
        new.write_bytes(envelope.content)
        new.rename(new.with_suffix(".eml"))
        return "250 Taken"


def known(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> Any:
    from aiosmtpd.smtp import AuthResult

    right = (given.login, given.password) == (b"harbour", PASSWORD.encode())
    # Not handled: the refusal is the server's to send.
    return AuthResult(success=right, handled=right)


async def serve(directory: Path, security: str) -> None:
    import trustme
    from aiosmtpd.smtp import SMTP

    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(directory / "authority.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    loop = asyncio.get_running_loop()

    def protocol() -> SMTP:
        return SMTP(
            Mailbox(directory),
            hostname="mail.example.org",
            tls_context=context if security == "starttls" else None,
            require_starttls=security == "starttls",
            auth_required=True,
            auth_require_tls=security == "starttls",
            authenticator=known,
            loop=loop,
        )

    server = await loop.create_server(protocol, "127.0.0.1", 0, ssl=context if security == "tls" else None)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), sys.argv[2]))
