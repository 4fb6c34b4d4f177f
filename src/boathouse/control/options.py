"""How the API is served, as whoever starts it says."""

from dataclasses import dataclass
from pathlib import Path

from boathouse.control.identities.settings import OidcSettings
from boathouse.control.ui.files import BUILT


@dataclass(frozen=True)
class ApiOptions:
    secure_cookies: bool = False
    """Whether browsers reach it by https although it does not speak that itself: behind a proxy."""
    oidc: OidcSettings | None = None
    """How people come by an identity provider, if they do."""
    lake: Path | None = None
    """The home of the lakehouse that it belongs to, if it belongs to one."""
    ui: Path = BUILT
    """Where the web application was built. It does without."""

    @property
    def browsers_use_https(self) -> bool:
        return self.secure_cookies or (self.oidc is not None and self.oidc.public_url.startswith("https:"))
