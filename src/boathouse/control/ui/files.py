"""The built files of the web application, and how each is answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

BUILT = Path(__file__).parent / "dist"
INDEX = "index.html"
# Their names change with their content, so a browser need never ask again.
_HASHED = "assets/"
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
# Styles may be inline, for the component library writes its colours so; scripts may not, and nothing comes from elsewhere.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class Answered:
    path: Path
    headers: Mapping[str, str]


@dataclass(frozen=True)
class BuiltFiles:
    directory: Path
    """Looked at with each request: a build meanwhile gives files new names."""

    @classmethod
    def found(cls, directory: Path) -> "BuiltFiles | None":
        """None if nothing was built there."""
        return cls(directory.resolve()) if (directory / INDEX).is_file() else None

    def has(self, name: str) -> bool:
        path = self.directory / name
        # What leads out of the directory, by dots or by a link, is none of its files.
        return path.is_file() and path.resolve().is_relative_to(self.directory)

    def answered(self, name: str, accepted: str) -> Answered:
        """A file in the smallest form that the browser takes."""
        kind = _TYPES.get(Path(name).suffix, "application/octet-stream")
        headers = {**_caching(name), **_SAFETY, "Content-Type": kind}
        for encoding, suffix in _ENCODINGS:
            if encoding in accepted and self.has(name + suffix):
                return Answered(self.directory / (name + suffix), {**headers, "Content-Encoding": encoding})
        return Answered(self.directory / name, headers)


_SAFETY: Mapping[str, str] = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Vary": "Accept-Encoding",
}


def _caching(name: str) -> Mapping[str, str]:
    forever = "public, max-age=31536000, immutable"
    return {"Cache-Control": forever if name.startswith(_HASHED) else "no-cache"}
