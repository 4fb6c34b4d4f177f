"""What went wrong, in one line."""

from boathouse.kit.errors import BoathouseError

_LONGEST = 500
_TRACEBACK = "Traceback (most recent call last)"


def words(error: BaseException | str) -> str:
    """Of an error of Java's what Java says, and not how Python came by it; of one in Spark's Python what that said last."""
    told = getattr(error, "java_exception", None)
    text = str(told.toString() if told is not None else error).strip() or type(error).__name__
    hint = f" {error.hint}" if isinstance(error, BoathouseError) and error.hint else ""
    return _line(text)[:_LONGEST] + hint


def _line(text: str) -> str:
    if _TRACEBACK not in text:
        return text.splitlines()[0]
    # Its own lines begin with a space; the first that does not is the error.
    after = text.partition(_TRACEBACK)[2].splitlines()[1:]
    said = next((line for line in after if line and not line.startswith(" ")), text.splitlines()[0])
    # Whoever reads it knows where it happened, and not how the class is called in full.
    kind, _, what = said.partition(": ")
    return what if what and "." in kind and " " not in kind else said
