"""Files as the tests of ingest make them, and a store that nobody is to ask."""

from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr

from boathouse.kit.access import ObjectStoreAccess
from boathouse.pipelines.ingest.discovery import SourceFile
from boathouse.pipelines.ingest.scan import ScannedFile, scan

NO_STORE = ObjectStoreAccess(
    endpoint="http://127.0.0.1:9",
    region="us-east-1",
    bucket="lake",
    access_key=SecretStr("a"),
    secret_key=SecretStr("b"),
)


def source_file(path: Path, content: bytes) -> SourceFile:
    path.write_bytes(content)
    return SourceFile(f"file://{path}", len(content), "v1", datetime(2026, 1, 2, tzinfo=UTC))


def scanned(path: Path, content: bytes, *, quote: str = '"') -> ScannedFile:
    return scan(source_file(path, content), NO_STORE, quote=quote)
