"""Where a login may end: on a page of this server."""

from boathouse.kit.errors import InvalidInput

_LONGEST = 1000


def own_path(following: str) -> str:
    """A login ends on a page of ours, wherever the link that began it came from."""
    is_ours = following.startswith("/") and not following.startswith("//") and len(following) <= _LONGEST
    # A browser reads a backslash as a slash, and leaves out line ends and tabs.
    if not is_ours or "\\" in following or not following.isprintable() or not following.isascii():
        raise InvalidInput("`next` is not a path of this server.", hint="Give one that begins with a single slash.")
    return following
