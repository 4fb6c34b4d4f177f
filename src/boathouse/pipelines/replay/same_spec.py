"""A pipeline's spec as it goes for rows that are replayed: the same, but for what only whole files can have."""

from collections.abc import Mapping, Sequence

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.replay.letters import Letter
from boathouse.pipelines.spec import Action, Format, Mode, PipelineSpec
from boathouse.pipelines.types import ColumnType


def same_spec(
    spec: PipelineSpec, table: Mapping[str, ColumnType], letters: Sequence[Letter], layout: set[str]
) -> PipelineSpec:
    """`layout` holds the columns that the headers of csv files name."""
    expectations = [one.model_copy(update={"otherwise": _gently(one.otherwise)}) for one in spec.expectations]
    target, source = spec.target, spec.source
    if target.mode is Mode.OVERWRITE_PARTITIONS:
        # The rest of the partition came with the file, and must not go for the sake of one row.
        target = target.model_copy(update={"mode": Mode.APPEND})
    columns = spec.columns
    if columns is None and source.format in {Format.CSV, Format.JSON, Format.PARQUET}:
        columns = _as_in_table(spec, table, letters, layout)
        source = source.model_copy(update={"missing_columns": "fill"})
    if source.format is Format.PARQUET:
        # As JSON a row does not say which of its columns are null.
        source = source.model_copy(update={"missing_columns": "fill"})
    news = {"malformed": _gently(spec.malformed), "expectations": expectations}
    return spec.model_copy(update={**news, "target": target, "source": source, "columns": columns})


def refuse_whole_files(spec: PipelineSpec) -> None:
    if spec.source.format is Format.BINARY:
        raise InvalidInput(
            "A reject of a binary file is the file itself, so there is no row to replay.",
            hint="Mend the spec and load the files with `boathouse pipeline run SPEC --again`.",
        )


def _gently(action: Action) -> Action:
    """What would stop a load stops nothing here: that row stays open and the others go on."""
    return Action.QUARANTINE if action is Action.FAIL else action


def _as_in_table(
    spec: PipelineSpec, table: Mapping[str, ColumnType], letters: Sequence[Letter], layout: set[str]
) -> dict[str, ColumnType]:
    """What was inferred from the files is known from the table that they made; a derived column only if the rows have it too."""
    if spec.source.format is Format.CSV:
        lowered = {name.lower() for name in layout}
        return {name: kind for name, kind in table.items() if name.lower() in lowered}
    return {
        name: kind
        for name, kind in table.items()
        if name not in spec.derive or any(f'"{name}"'.encode() in letter.raw for letter in letters)
    }
