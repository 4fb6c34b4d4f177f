"""Whether a Spark Connect server answers, found out without a session."""

import socket

# Kinds of frames in HTTP/2 (RFC 9113, section 6).
_SETTINGS, _GO_AWAY = 0x4, 0x7


def speaks_http2(host: str, port: int) -> bool:
    """Whether a gRPC server answers there. That the port is open would not say: the kernel opens it for a hung one, too."""
    greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(_SETTINGS)
    try:
        with socket.create_connection((host, port), timeout=5) as connection:
            connection.sendall(greeting)
            answer = connection.recv(9)
            connection.sendall(_frame(_GO_AWAY, content=bytes(8)))
    except OSError:
        return False
    return answer[3:4] == bytes([_SETTINGS])


def _frame(kind: int, *, content: bytes = b"") -> bytes:
    return len(content).to_bytes(3) + bytes([kind, 0, 0, 0, 0, 0]) + content
