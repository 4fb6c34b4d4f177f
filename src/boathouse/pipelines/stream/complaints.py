"""What went wrong, in one line."""

from boathouse.kit.errors import BoathouseError

_LONGEST = 500


def words(error: BaseException | str) -> str:
    """Of an error of Java's what Java says, and not how Python came by it."""
    told = getattr(error, "java_exception", None)
    text = str(told.toString() if told is not None else error).strip() or type(error).__name__
    hint = f" {error.hint}" if isinstance(error, BoathouseError) and error.hint else ""
    return text.splitlines()[0][:_LONGEST] + hint
