"""The REST specification as Iceberg publishes it, cut down to what our catalog serves and aimed at what is there."""

from pathlib import Path
from typing import Any, cast

import schemathesis
import yaml
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation, BaseSchema

from boathouse.catalog.api.app import OPERATIONS

Json = dict[str, Any]
SPECIFICATION = Path(__file__).parent / "rest-catalog-open-api.yaml"
# Generated names would name nothing: these are there, or nearly.
_NAMES: dict[str, list[str]] = {
    "prefix": ["lake"],
    "namespace": ["ns", "ns\x1finner", "ns\x1f", "none", "..", "ÿ\U0001f6f6"],
    "table": ["t", "none", ".", "a/b"],
    "view": ["v", "t", "none"],
}


def served_operations() -> dict[str, APIOperation[Any, Any, Any, Any]]:
    """The operations that the application has routes for, each by its method and path."""
    return operations_of(_served_specification())


def operations_of(specification: dict[str, Any]) -> dict[str, APIOperation[Any, Any, Any, Any]]:
    schema = cast(BaseSchema, schemathesis.openapi.from_dict(specification))
    found = [cast(Ok[APIOperation[Any, Any, Any, Any]], result).ok() for result in schema.get_all_operations()]
    return {operation.label: operation for operation in found}


def specified_operations() -> set[str]:
    """All there are, each by its method and path."""
    paths: Json = yaml.safe_load(SPECIFICATION.read_text())["paths"]
    verbs = ("get", "post", "delete", "head")
    return {f"{verb.upper()} {path}" for path, methods in paths.items() for verb in verbs if verb in methods}


def _served_specification() -> Json:
    specification: Json = yaml.safe_load(SPECIFICATION.read_text())
    served = {path: _served(path, methods) for path, methods in specification["paths"].items()}
    parameters: Json = specification["components"]["parameters"]
    for name, names in _NAMES.items():
        parameters[name]["schema"] = {"anyOf": [{"type": "string", "enum": names}, {"type": "string"}][: len(names)]}
        parameters[name].pop("examples", None)
        parameters[name].pop("example", None)
    # Who may call is asked elsewhere: here everybody brings the token.
    del specification["security"]
    return specification | {"paths": {path: methods for path, methods in served.items() if methods}}


def _served(path: str, methods: Json) -> Json:
    served = {operation.method.lower() for operation in OPERATIONS if operation.path == path}
    kept = {name: _unsecured(value) for name, value in methods.items() if name in served}
    return kept | {"parameters": methods["parameters"]} if kept and "parameters" in methods else kept


def _unsecured(operation: Json) -> Json:
    return {name: value for name, value in operation.items() if name != "security"}
