"""What a provider says of itself: its discovery document, as far as we need it."""

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from boathouse.control.identities.calls import unusable
from boathouse.control.identities.settings import is_safe_address


class Description(BaseModel):
    model_config = ConfigDict(frozen=True)

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: list[str] = ["client_secret_basic"]

    def addresses(self) -> list[str]:
        all_of_them = (self.authorization_endpoint, self.token_endpoint, self.jwks_uri, self.userinfo_endpoint)
        return [address for address in all_of_them if address is not None]

    @property
    def wants_secret_posted(self) -> bool:
        methods = self.token_endpoint_auth_methods_supported
        return "client_secret_basic" not in methods and "client_secret_post" in methods


def checked(told: dict[str, Any], issuer: str) -> Description:
    """Unavailable if it is another provider's, or leads where somebody between could read."""
    try:
        description = Description.model_validate(told)
    except ValidationError as error:
        missing = ", ".join(str(one["loc"][0]) for one in error.errors())
        raise unusable(f"its description lacks {missing}") from error
    if description.issuer != issuer:
        raise unusable(f"it calls itself {description.issuer}, not {issuer}")
    if not all(map(is_safe_address, description.addresses())):
        raise unusable("not all its addresses are https")
    return description
