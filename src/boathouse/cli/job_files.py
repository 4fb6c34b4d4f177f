"""Jobs as YAML files: one document a job, with its name under `job`. A file may hold several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from boathouse.cli.documents import read_document, read_documents
from boathouse.kit.errors import InvalidInput, NotFound
from boathouse.pipelines.yaml_text import Document

_ENDINGS = (".yaml", ".yml")
# What a definition takes if nothing is said: left out of a file, so that the file says what is meant.
_UNSAID: Mapping[str, Any] = {"description": "", "parameters": [], "schedule": None, "retries": None}


@dataclass(frozen=True)
class JobFile:
    path: Path
    name: str
    definition: dict[str, Any]


def read_jobs(paths: Sequence[Path]) -> list[JobFile]:
    """The jobs of files, and of all YAML files in directories."""
    found = [job for path in paths for file in _files(path) for job in _read(file)]
    names = [job.name for job in found]
    for job in found:
        if names.count(job.name) > 1:
            raise InvalidInput(f"The job {job.name} is there twice.", hint=f"One of them is in {job.path}.")
    return found


def job_text(name: str, definition: Mapping[str, Any]) -> str:
    """The job as a file says it."""
    said = {key: value for key, value in definition.items() if key not in _UNSAID or value != _UNSAID[key]}
    return _dumped({"job": name, **_plain(said)})


def spec_text(pipeline: Mapping[str, Any]) -> str:
    """The pipeline of a job as a file of its own."""
    return _dumped(_plain(pipeline))


def _dumped(document: Any) -> str:
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise NotFound(f"There is no file {path}.")
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.rglob("*") if file.suffix in _ENDINGS)
    if not found:
        raise NotFound(f"There is no YAML file in {path}.", hint="A job's file ends in .yaml or .yml.")
    return found


def _read(path: Path) -> list[JobFile]:
    try:
        documents = read_documents(path.read_text(), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    return [_job(path, document) for document in documents]


def _job(path: Path, document: Document) -> JobFile:
    value: Any = document.value
    if not isinstance(value, dict) or not isinstance(value.get("job"), str):  # pyright: ignore[reportUnknownMemberType]
        raise InvalidInput(
            f"{path}:{document.place(('job',))}: the job's name is missing.", hint="Begin with `job: NAME`."
        )
    definition: dict[str, Any] = dict(value)  # pyright: ignore[reportUnknownArgumentType]
    name = definition.pop("job")
    return JobFile(path, name, _with_files(definition, path.parent))


def _with_files(definition: dict[str, Any], directory: Path) -> dict[str, Any]:
    """`sql_file`, `code_file` and `pipeline_file` are read here: the server has none of these files."""
    spec = definition.get("spec")
    if isinstance(spec, dict):
        definition = {**definition, "spec": _inlined(spec, directory)}  # pyright: ignore[reportUnknownArgumentType]
        tasks: Any = definition["spec"].get("tasks")
        if isinstance(tasks, list):
            # The server refuses what is no task, and says which.
            definition["spec"]["tasks"] = [
                _with_files(task, directory) if isinstance(task, dict) else task  # pyright: ignore[reportUnknownArgumentType]
                for task in tasks  # pyright: ignore[reportUnknownVariableType]
            ]
    return definition


def _inlined(spec: Mapping[str, Any], directory: Path) -> dict[str, Any]:
    inlined: dict[str, Any] = {}
    for key, value in spec.items():
        if key in {"sql_file", "code_file", "pipeline_file"}:
            path = directory / str(value)
            try:
                text = path.read_text()
            except (OSError, UnicodeDecodeError) as error:
                raise InvalidInput(f"{path}, which the job names as {key}, cannot be read: {error}.") from error
            word = key.removesuffix("_file")
            inlined[word] = read_document(text, str(path)).value if word == "pipeline" else text
        else:
            inlined[key] = value
    return inlined


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items() if inner is not None}  # pyright: ignore[reportUnknownVariableType]
    return [_plain(inner) for inner in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines as people would."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # Only so can a block hold it: YAML would quote what has blanks at the end of a line.
    lines = "\n".join(line.rstrip() for line in text.splitlines()) + ("\n" if text.endswith("\n") else "")
    block = "\n" in text and lines == text
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if block else None)


_Dumper.add_representer(str, _text)
