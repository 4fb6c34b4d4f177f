"""Parameters of a job: their types, their defaults, and the values that a run is given."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError, model_validator

from boathouse.control.names import told_as
from boathouse.kit.complaints import in_words
from boathouse.kit.errors import InvalidInput

Word = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,58}$"),
    told_as("must be 1 to 59 lower-case letters, digits and _, and begin with a letter"),
]
_PLACE = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)\s*\}\}")


class ParameterType(StrEnum):
    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"


_READ: Mapping[ParameterType, TypeAdapter[Any]] = {
    ParameterType.STRING: TypeAdapter(Annotated[str, Field(strict=True, max_length=10_000)]),
    # What the databases and engines call a long.
    ParameterType.INTEGER: TypeAdapter(Annotated[int, Field(ge=-(2**63), lt=2**63)]),
    ParameterType.NUMBER: TypeAdapter(Annotated[float, Field(allow_inf_nan=False)]),
    ParameterType.BOOLEAN: TypeAdapter(bool),
    ParameterType.DATE: TypeAdapter(date),
    ParameterType.TIMESTAMP: TypeAdapter(datetime),
}


class Parameter(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Word
    type: ParameterType = ParameterType.STRING
    default: Any = Field(
        default=None, description="Taken where a run gives no value. Without one a value must be given."
    )
    choices: list[Any] | None = Field(default=None, min_length=1, max_length=100)
    description: str = Field(default="", max_length=500)

    @model_validator(mode="after")
    def _default_fits(self) -> Self:
        for value in self.choices or ():
            self._typed(value)
        if self.default is not None:
            self.read(self.default)
        return self

    def read(self, value: Any) -> Any:
        """The value as its type has it; ValueError says what is wrong."""
        read = self._typed(value)
        if self.choices is not None and read not in [self._typed(choice) for choice in self.choices]:
            raise ValueError(f"the parameter {self.name} must be one of {', '.join(map(str, self.choices))}")
        return read

    def _typed(self, value: Any) -> Any:
        try:
            return _READ[self.type].validate_python(value)
        except ValidationError as error:
            raise ValueError(f"the parameter {self.name}: {in_words(error.errors(include_url=False)[0])}") from None


def settled(parameters: Sequence[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """A value for each parameter, as JSON has it; InvalidInput if one is missing, unknown or of the wrong type."""
    unknown = sorted(set(given) - {parameter.name for parameter in parameters})
    if unknown:
        known = ", ".join(parameter.name for parameter in parameters) or "none"
        raise InvalidInput(f"The job has no parameter {unknown[0]!r}.", hint=f"It has: {known}.")
    values: dict[str, Any] = {}
    for parameter in parameters:
        value = given.get(parameter.name, parameter.default)
        if value is None:
            raise InvalidInput(f"The parameter {parameter.name!r} has no value.", hint="Give one: it has no default.")
        try:
            read = parameter.read(value)
        except ValueError as error:
            raise InvalidInput(f"A value cannot be used: {error}.", hint="The job says what each takes.") from error
        values[parameter.name] = read.isoformat() if isinstance(read, date) else read
    return values


def typed(parameters: Sequence[Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as Python has them: dates as dates."""
    return {parameter.name: parameter.read(values[parameter.name]) for parameter in parameters}


def filled(value: Any, values: Mapping[str, Any]) -> Any:
    """The value with `{{name}}` in its texts replaced, however deep they lie."""
    if isinstance(value, str):
        return _PLACE.sub(lambda found: _text(values, found[1]), value)
    if isinstance(value, Mapping):
        return {key: filled(inner, values) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [filled(inner, values) for inner in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def names_in(value: Any) -> set[str]:
    """The parameters that the texts in it ask for."""
    if isinstance(value, str):
        return set(_PLACE.findall(value))
    inner = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return set().union(*map(names_in, inner))  # pyright: ignore[reportUnknownArgumentType]


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values[name]
    return str(value).lower() if isinstance(value, bool) else str(value)
