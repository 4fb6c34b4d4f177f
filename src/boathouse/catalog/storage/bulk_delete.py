"""The keys in the body with which S3 deletes many objects at once."""

from xml.etree import ElementTree as ET

from boathouse.catalog.errors import Forbidden

# S3 takes a thousand keys of a thousand bytes at most.
_LONGEST = 4 * 1024 * 1024


def keys_of(body: str | None) -> tuple[str, ...]:
    """Every key that anybody could find in the body; raises Forbidden where two readers could differ."""
    if not body:
        raise Forbidden("Cannot sign the request: to delete many objects its body has to be shown")
    # No entities, no comments, no sections: nothing that one parser joins and another skips.
    if "<!" in body or len(body) > _LONGEST:
        raise Forbidden("Cannot sign the request: its body is not a plain list of keys")
    try:
        root = ET.fromstring(body)  # noqa: S314 - without declarations there is nothing to expand
    except ET.ParseError as error:
        raise Forbidden("Cannot sign the request: its body is not a plain list of keys") from error
    found = [element for element in root.iter() if _name(element) == "key"]
    if _name(root) != "delete" or not found or any(len(element) or not element.text for element in found):
        raise Forbidden("Cannot sign the request: its body is not a plain list of keys")
    return tuple(element.text or "" for element in found)


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2].lower()
