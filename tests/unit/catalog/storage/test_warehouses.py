"""Where a server's warehouses are, and with which keys: from arguments, a file and the environment."""

from pathlib import Path

import pytest

from boathouse.catalog.storage.s3_storage import S3Storage, Vend
from boathouse.catalog.storage.sigv4 import Keys
from boathouse.catalog.storage.warehouses import WarehouseSettings, open_warehouse, open_warehouses
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import ConfigurationError

AWS = {
    "AWS_ENDPOINT_URL": "http://store:8333",
    "AWS_REGION": "eu-west-1",
    "AWS_ACCESS_KEY_ID": "aws",
    "AWS_SECRET_ACCESS_KEY": "aws-secret",
}
FILE = """
[warehouses.lake]
url = "s3://bucket/lake"
endpoint = "http://one:1"
access_key = "one"
secret_key = "one-secret"
vend = "sts"

[warehouses.pond]
url = "s3://bucket/pond"
endpoint = "http://two:2"
client_endpoint = "https://two.example.org"
path_style = false
access_key = "two"
secret_key = "two-secret"
"""


def written(directory: Path, text: str, mode: int = 0o600) -> Path:
    file = directory / "catalog.toml"
    file.write_text(text)
    file.chmod(mode)
    return file


def storage_of(warehouse: Warehouse) -> S3Storage:
    assert warehouse.storage is not None
    return warehouse.storage


def test_one_warehouse_of_the_environment() -> None:
    (lake,) = open_warehouses(["lake=s3://bucket/lake/"], None, AWS)
    storage = storage_of(lake)
    assert (lake.name, lake.root) == ("lake", "s3://bucket/lake")
    assert (storage.bucket, storage.root, storage.region) == ("bucket", "lake", "eu-west-1")
    assert (storage.endpoint, storage.keys, storage.vend) == ("http://store:8333", Keys("aws", "aws-secret"), Vend.NONE)


def test_a_directory_needs_nothing(tmp_path: Path) -> None:
    (lake,) = open_warehouses([f"lake=file://{tmp_path}"], None, {"AWS_ACCESS_KEY_ID": "half"})
    assert lake.storage is None


def test_each_warehouse_has_its_own_storage(tmp_path: Path) -> None:
    lake, pond = open_warehouses([], written(tmp_path, FILE), AWS)
    assert storage_of(lake).keys == Keys("one", "one-secret")
    assert storage_of(lake).vend is Vend.STS
    assert storage_of(pond).keys == Keys("two", "two-secret")
    assert storage_of(pond).vend is Vend.NONE
    assert storage_of(lake).client_properties()["s3.endpoint"] == "http://one:1"
    assert storage_of(pond).client_properties() == {
        "s3.endpoint": "https://two.example.org",
        "client.region": "eu-west-1",
        "s3.region": "eu-west-1",
        "s3.path-style-access": "false",
    }


def test_variables_win_over_the_file_and_arguments_say_where(tmp_path: Path) -> None:
    own = {
        "BOATHOUSE_CATALOG_WAREHOUSE_LAKE_ENDPOINT": "http://three:3",
        "BOATHOUSE_CATALOG_WAREHOUSE_LAKE_SESSION_SECONDS": "900",
    }
    lake, _ = open_warehouses(["lake=s3://elsewhere/lake"], written(tmp_path, FILE), own)
    storage = storage_of(lake)
    assert (storage.bucket, storage.endpoint, storage.session_seconds) == ("elsewhere", "http://three:3", 900)
    assert storage.keys == Keys("one", "one-secret")


def test_keys_of_two_places_are_never_mixed() -> None:
    own = {"BOATHOUSE_CATALOG_WAREHOUSE_LAKE_ACCESS_KEY": "own"}
    with pytest.raises(ConfigurationError, match="Warehouse lake has one half of its keys"):
        open_warehouses(["lake=s3://bucket/lake"], None, {**AWS, **own})


def test_a_file_with_keys_that_others_may_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="others may read it"):
        open_warehouses([], written(tmp_path, FILE, 0o644), {})
    (lake,) = open_warehouses([], written(tmp_path, '[warehouses.lake]\nurl = "s3://bucket/lake"\n', 0o644), {})
    assert storage_of(lake).keys is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("s3://bucket/lake", "s3://bucket/lake"),
        ("s3://bucket/lake", "s3://bucket/lake/pond"),
        ("s3://bucket", "s3a://bucket/pond/"),
        ("file:///tmp/lake", "file:/tmp/lake/pond"),
    ],
)
def test_warehouses_that_overlap_are_refused(one: str, other: str) -> None:
    with pytest.raises(ConfigurationError, match="lake and pond overlap"):
        open_warehouses([f"lake={one}", f"pond={other}"], None, AWS)


def test_the_same_bucket_of_two_stores_is_two_places() -> None:
    own = {"BOATHOUSE_CATALOG_WAREHOUSE_POND_ENDPOINT": "http://other:8333"}
    assert len(open_warehouses(["lake=s3://bucket/a", "pond=s3://bucket/a"], None, {**AWS, **own})) == 2


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ENDPONT", "x", "endpont of warehouse lake is wrong"),
        ("VEND", "all", "vend of warehouse lake is wrong"),
        ("PATH_STYLE", "perhaps", "path_style of warehouse lake is wrong"),
        ("ENDPOINT", "store:8333", "endpoint is not the URL of a server"),
        ("ENDPOINT", "http://user:pw@store", "endpoint is not the URL of a server"),
        ("ENDPOINT", "http://store/path", "endpoint is not the URL of a server"),
        ("SESSION_SECONDS", "60", "cannot last 60 seconds"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        open_warehouses(["lake=s3://bucket/a"], None, {**AWS, f"BOATHOUSE_CATALOG_WAREHOUSE_LAKE_{name}": value})


def test_vending_needs_what_it_vends_from() -> None:
    sts = {"BOATHOUSE_CATALOG_WAREHOUSE_LAKE_VEND": "sts"}
    with pytest.raises(ConfigurationError, match="needs an access key"):
        open_warehouses(["lake=s3://bucket/a"], None, sts)
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    with pytest.raises(ConfigurationError, match="needs a role to assume"):
        open_warehouses(["lake=s3://bucket/a"], None, {**sts, **keys})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "warehouses = 1",
        "[other]\na = 1",
        "[warehouses]\nlake = 's3://x'",
        "=",
        '[warehouses."a b"]\nurl="s3://x/y"',
    ],
)
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigurationError):
        open_warehouses([], written(tmp_path, text), {})


def test_the_documentation_lists_every_setting() -> None:
    page = (Path(__file__).parents[4] / "docs" / "storage.md").read_text()
    for name, field in WarehouseSettings.model_fields.items():
        default = "" if field.default is None or field.is_required() else f"`{str(field.default).lower()}` "
        assert f"| `{name}` | {default}| {field.description} |" in page


def test_one_is_found_in_the_file_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "catalog.toml"
    file.write_text(FILE)
    file.chmod(0o600)
    assert open_warehouse("pond", {}, file).root == "s3://bucket/pond"
    with pytest.raises(ConfigurationError, match="has no warehouse sea") as refused:
        open_warehouse("sea", {}, file)
    assert "lake, pond" in str(refused.value.hint)


def test_what_is_wrong_with_a_name_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="'my-lake' is not a name for a warehouse") as refused:
        open_warehouses([f"my-lake=file://{tmp_path}"], None, {})
    assert "underscores" in str(refused.value.hint)
