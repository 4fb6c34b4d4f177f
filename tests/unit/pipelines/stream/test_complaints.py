"""What is told of an error is what a person can do something about."""

from boathouse.kit.errors import Unavailable
from boathouse.pipelines.stream.complaints import words

_IN_PYTHON = """An exception was thrown from the Python worker. Please see the stack
trace below.
Traceback (most recent call last):
  File "writing.py", line 98, in _put
    with storage_errors(url):
boathouse.kit.errors.Unavailable: Storage failed at s3://lake/x: connection refused

"""


def test_of_an_error_in_sparks_python_it_is_what_that_said() -> None:
    assert words(_IN_PYTHON) == "Storage failed at s3://lake/x: connection refused"


def test_of_any_other_it_is_the_first_line_with_what_to_do() -> None:
    assert words("one\ntwo") == "one"
    assert words(Unavailable("It is away.", hint="Start it.")) == "It is away. Start it."
    assert words(ValueError()) == "ValueError"
