"""A spec is taken whole or refused with every mistake, each at its line and column."""

from pathlib import Path
from textwrap import dedent

import pytest

from boathouse.kit.catalog_client import TableName
from boathouse.kit.errors import InvalidInput, NotFound
from boathouse.pipelines.partitions import PartitionField
from boathouse.pipelines.spec import ENCODINGS, Action, Format, Mode, PipelineSpec, load_spec, parse_spec
from boathouse.pipelines.types import Decimal, Primitive

SMALLEST = """\
pipeline: orders
source:
  path: "*.csv"
  format: csv
target:
  table: sales.orders
"""
FULL = """\
pipeline: orders
description: What the shops sold.
source:
  path: [a.csv, s3://lake/in/*.csv]
  format: csv
  encoding: ISO-8859-1
  csv:
    header: false
    delimiter: ";"
    quote: "'"
    escape: "\\\\"
    multiline: true
    "null": NA
    date_format: dd.MM.yyyy
    timestamp_format: dd.MM.yyyy HH:mm
  extra_columns: ignore
  missing_columns: fill
schema:
  id: bigint
  price: decimal(8,2)
  sold_on: date
derive:
  total: price * 1.2
malformed: drop
expectations:
  - check: price > 0
    name: has a price
    otherwise: fail
  - check: id > 0
target:
  table: north.sales.orders
  mode: merge
  keys: id
  latest_by: sold_on
  partition_by: [month(sold_on), "bucket(4, id)"]
  evolution:
    add_columns: false
    widen_types: false
  properties:
    write.format.default: parquet
"""


def read(text: str) -> PipelineSpec:
    return parse_spec(dedent(text), "s.yaml")


def complaints(text: str) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        read(text)
    assert caught.value.hint
    return str(caught.value).splitlines()


def test_what_is_left_out_has_a_default() -> None:
    spec = read(SMALLEST)
    assert (spec.description, spec.columns, spec.derive, spec.expectations) == ("", None, {}, [])
    assert (spec.source.path, spec.source.format, spec.source.encoding) == (["*.csv"], Format.CSV, "utf-8")
    assert (spec.source.extra_columns, spec.source.missing_columns) == ("refuse", "refuse")
    csv = spec.source.csv
    assert (csv.header, csv.multiline, csv.delimiter, csv.quote, csv.escape, csv.null) == (
        True,
        False,
        ",",
        '"',
        '"',
        "",
    )
    assert (spec.malformed, spec.target.mode) == (Action.QUARANTINE, Mode.APPEND)
    assert (spec.target.keys, spec.target.latest_by, spec.target.partition_by, spec.target.properties) == (
        [],
        None,
        [],
        {},
    )
    assert (spec.target.evolution.add_columns, spec.target.evolution.widen_types) == (True, True)


def test_every_key_is_taken() -> None:
    spec = read(FULL)
    assert (spec.source.path, spec.source.encoding) == (["a.csv", "s3://lake/in/*.csv"], "iso-8859-1")
    assert (spec.source.csv.null, spec.source.csv.escape) == ("NA", "\\")
    assert spec.columns == {"id": Primitive("long"), "price": Decimal(8, 2), "sold_on": Primitive("date")}
    assert spec.known_columns() == ["id", "price", "sold_on", "total"]
    assert [(e.title, e.otherwise) for e in spec.expectations] == [
        ("has a price", Action.FAIL),
        ("id > 0", Action.QUARANTINE),
    ]
    assert (spec.target.table, spec.target.keys) == (TableName(("north", "sales"), "orders"), ["id"])
    assert spec.target.partition_by == [PartitionField("month", "sold_on"), PartitionField("bucket[4]", "id")]


@pytest.mark.parametrize(
    ("written", "instead", "complaint"),
    [
        ("pipeline: orders", "pipeline: 5", "1:1: pipeline: must be text, not a number"),
        ("pipeline: orders", "pipeline: -x", "1:1: pipeline: '-x' is not a name: write letters"),
        ("What the shops sold.", "[a]", "2:1: description: must be text, not a list"),
        ("[a.csv, s3://lake/in/*.csv]", "[]", "4:3: source.path: must not be empty"),
        ("[a.csv, s3://lake/in/*.csv]", "''", "4:3: source.path, item 1: must not be empty"),
        ("[a.csv, s3://lake/in/*.csv]", "[a.csv, 5]", "4:17: source.path, item 2: must be text, not a number"),
        ("format: csv", "format: cvs", "5:3: source.format: 'cvs' is not one of csv, json, parquet, text, binary; did you mean csv?"),
        ("format: csv", "format: xlsx", "5:3: source.format: 'xlsx' is not one of csv, json, parquet, text, binary"),
        ("format: csv", "format: [csv]", "5:3: source.format: ['csv'] is not one of"),
        ("ISO-8859-1", "utf-16", "6:3: source.encoding: 'utf-16' cannot be read; one of utf-8, "),
        ("header: false", "header: 1", "8:5: source.csv.header: must be true or false, not a number"),
        ('delimiter: ";"', "delimiter: ''", "9:5: source.csv.delimiter: must be one character"),
        ('delimiter: ";"', "delimiter: '||'", "9:5: source.csv.delimiter: must be one character"),
        ('delimiter: ";"', 'delimiter: "\\n"', "9:5: source.csv.delimiter: must be one character, and no line end"),
        ('delimiter: ";"', 'delimiter: "\'"', "7:3: source.csv: \"'\" cannot be the delimiter and the quote"),
        ('quote: "\'"', "quote: «", "10:5: source.csv.quote: must be an ASCII character"),
        ('escape: "\\\\"', "escape: 5", "11:5: source.csv.escape: must be text, not a number"),
        ("multiline: true", "multiline: maybe", "12:5: source.csv.multiline: must be true or false, not 'maybe'"),
        ('"null": NA', '"null": NULL', "13:5: source.csv.null: must be text, not null"),
        ("date_format: dd.MM.yyyy\n", "date_format: 5\n", "14:5: source.csv.date_format: must be text, not a number"),
        ("extra_columns: ignore", "extra_columns: fill", "16:3: source.extra_columns: must be 'refuse' or 'ignore', not 'fill'"),
        ("missing_columns: fill", "missing_columns: yes", "17:3: source.missing_columns: must be 'refuse' or 'fill', not true"),
        ("id: bigint", "id: bigit", "19:3: schema.id: 'bigit' is not a type"),
        ("id: bigint", "id: 5", "19:3: schema.id: must be a type, such as bigint"),
        ("id: bigint", "id: {name: long}", "19:3: schema.id: must be a type, such as bigint"),
        ("id: bigint", "id: bigint\n  ID: int", "18:1: schema: 'id' and 'ID' differ only in their case"),
        ("id: bigint", "_bh_raw: bigint", "18:1: schema: '_bh_raw' cannot be the name of a column"),
        ("total: price * 1.2", "total: 5", "23:3: derive.total: must be text, not a number"),
        ("total: price * 1.2", "a: b\n  b: a", "22:1: derive: these columns are computed from each other: a → b → a"),
        ("malformed: drop", "malformed: ignore", "24:1: malformed: 'ignore' is not one of drop, quarantine, fail"),
        ("check: price > 0", "check: ''", "26:5: expectations, item 1, check: must not be empty"),
        ("otherwise: fail", "otherwise: fial", "28:5: expectations, item 1, otherwise: 'fial' is not one of drop, quarantine, fail; did you mean fail?"),
        ("- check: id > 0", "- name: x", "29:5: expectations, item 2, check: is missing"),
        ("mode: merge", "mode: upsert", "32:3: target.mode: 'upsert' is not one of append, overwrite_partitions, merge"),
        ("mode: merge", "mode: append", "30:1: target: keys and latest_by go with mode merge, not append"),
        ("keys: id", "keys: []", "30:1: target: mode merge needs keys"),
        ("keys: id", "keys: nr", "1:1: target names the column 'nr', which is not in the schema (id, price, sold_on, total)"),
        ("latest_by: sold_on", "latest_by: at", "1:1: target names the column 'at'"),
        ("[month(sold_on),", "[week(sold_on),", "35:18: target.partition_by, item 1: 'week(sold_on)' is not a partition"),
        ("[month(sold_on),", "[month(at),", "1:1: target names the column 'at'"),
        ("add_columns: false", "add_columns: 'no'", "37:5: target.evolution.add_columns: must be true or false, not 'no'"),
        ("write.format.default: parquet", "x: 5", "40:5: target.properties.x: must be text, not a number"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_its_place(written: str, instead: str, complaint: str) -> None:
    assert FULL.count(written) == 1
    (told,) = complaints(FULL.replace(written, instead))
    assert told.startswith(f"s.yaml:{complaint}")


@pytest.mark.parametrize(
    ("written", "instead", "complaint"),
    [
        ("pipeline: orders", "pipeline: orders\npipelin: x", "2:1: pipelin: unknown key; did you mean 'pipeline'?"),
        ("derive:", "columns: {}\nderive:", "22:1: columns: unknown key; known here are pipeline, description, source, schema,"),
        ("encoding: ISO", "encodign: x\n  encoding: ISO", "6:3: source.encodign: unknown key; did you mean 'encoding'?"),
        ("header: false", "headers: false", "8:5: source.csv.headers: unknown key; did you mean 'header'?"),
        ("name: has a price", "title: x", "27:5: expectations, item 1, title: unknown key; known here are check, name, otherwise"),
        ("keys: id", "key: id\n  keys: id", "33:3: target.key: unknown key; did you mean 'keys'?"),
        ("add_columns: false", "add_column: false", "37:5: target.evolution.add_column: unknown key; did you mean 'add_columns'?"),
    ],
)  # fmt: skip
def test_an_unknown_key_is_told_with_the_nearest_known_one(written: str, instead: str, complaint: str) -> None:
    (told,) = complaints(FULL.replace(written, instead, 1))
    assert told.startswith(f"s.yaml:{complaint}")


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ("orders", "must be namespace.table"),
        ("Sales.orders", "in lower-case letters"),
        ("sales.", "must be namespace.table"),
        ("_staging.orders", "must be namespace.table"),
        ("sales.my orders", "must be namespace.table"),
        ("sales.ümlaut", "must be namespace.table"),
        ('"sales.orders\\n"', "must be namespace.table"),
        ("sales.orders__rejects", "may not end in __rejects, __loads, __mends, __deleted"),
        ("sales.orders__loads", "may not end in __rejects, __loads, __mends, __deleted"),
        ("[sales, orders]", "must be namespace.table"),
    ],
)
def test_a_table_that_cannot_be_named_so_is_refused(table: str, complaint: str) -> None:
    (told,) = complaints(SMALLEST.replace("sales.orders", table))
    assert told.startswith("s.yaml:6:3: target.table: ")
    assert complaint in told


@pytest.mark.parametrize("encoding", [*ENCODINGS, "UTF-8", "Windows-1252"])
def test_an_encoding_is_known_in_any_case(encoding: str) -> None:
    assert (
        read(SMALLEST.replace("format: csv", f"format: csv\n  encoding: {encoding}")).source.encoding
        == encoding.lower()
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32le", "shift_jis", "utf-8-sig", "klingon", "''"])
def test_an_encoding_that_cannot_be_cut_at_newlines_is_refused(encoding: str) -> None:
    (told,) = complaints(SMALLEST.replace("format: csv", f"format: csv\n  encoding: {encoding}"))
    assert "source.encoding" in told
    assert "iconv" in told


@pytest.mark.parametrize(
    ("written", "known"),
    [("latin-1", "iso-8859-1"), ("Latin1", "iso-8859-1"), ("cp1252", "windows-1252"), ("utf8", "utf-8"), ("ascii", "us-ascii")],
)  # fmt: skip
def test_an_encoding_is_known_by_its_other_names(written: str, known: str) -> None:
    assert read(SMALLEST.replace("format: csv", f"format: csv\n  encoding: {written}")).source.encoding == known


@pytest.mark.parametrize(
    "path", ["https://example.org/a.csv", "hdfs://host/a.csv", "gs://bucket/a.csv", "ftp://h/a.csv"]
)
def test_a_path_that_cannot_be_reached_is_refused(path: str) -> None:
    (told,) = complaints(SMALLEST.replace('"*.csv"', path))
    assert told.startswith(f"s.yaml:3:3: source.path, item 1: {path!r} cannot be read: only local paths and s3:// can")


@pytest.mark.parametrize("path", ["file:///tmp/a.csv", "s3://bucket/a.csv", "s3a://bucket/a.csv", "odd:name.csv"])
def test_a_path_on_disk_or_in_s3_is_taken(path: str) -> None:
    assert read(SMALLEST.replace('"*.csv"', path)).source.path == [path]


def test_one_partition_needs_no_list() -> None:
    spec = read(f"{SMALLEST}  partition_by: month(sold_on)\n")
    assert spec.target.partition_by == [PartitionField("month", "sold_on")]


def test_all_mistakes_are_told_at_once() -> None:
    told = complaints("""\
        source: {format: cvs}
        schema: {id: bigit}
        traget: {}
    """)
    assert [line.partition(": ")[0] for line in told] == [
        "s.yaml:1:1",
        "s.yaml:1:1",
        "s.yaml:1:1",
        "s.yaml:1:10",
        "s.yaml:2:10",
        "s.yaml:3:1",
    ]
    assert [line.split(": ")[1] for line in told] == [
        "pipeline",
        "source.path",
        "target",
        "source.format",
        "schema.id",
        "traget",
    ]


@pytest.mark.parametrize("text", ["", "just text", "[a, b]", "5"])
def test_what_is_no_mapping_is_no_spec(text: str) -> None:
    assert complaints(text) == ["s.yaml:1:1: a spec is a mapping with pipeline, source and target."]


@pytest.mark.parametrize(
    ("addition", "complaint"),
    [
        ("schema: {}", "7:1: schema: must not be empty"),
        ("derive: {a: x, A: y}", "7:1: derive: 'a' and 'A' differ only in their case"),
        ("schema: {item: string}\nderive: {ITEM: upper(item)}", "1:1: 'item' and 'ITEM' differ only in their case"),
    ],
)
def test_columns_that_spark_could_not_tell_apart_are_refused(addition: str, complaint: str) -> None:
    (told,) = complaints(f"{SMALLEST}{addition}\n")
    assert told.startswith(f"s.yaml:{complaint}")


def test_csv_options_go_with_csv_alone() -> None:
    (told,) = complaints(SMALLEST.replace("format: csv", "format: json\n  csv: {header: false}"))
    assert told == "s.yaml:2:1: source: csv options are given, but the format is json"


def test_a_csv_without_a_header_needs_a_schema() -> None:
    text = SMALLEST.replace("format: csv", "format: csv\n  csv: {header: false}")
    assert "a csv without a header needs a schema" in complaints(text)[0]
    assert read(f"{text}schema: {{id: int}}\n").columns == {"id": Primitive("int")}


@pytest.mark.parametrize(
    ("kind", "columns"), [("text", ["line", "file"]), ("binary", ["file", "size", "modified_at", "content"])]
)
def test_text_and_binary_files_have_columns_of_their_own(kind: str, columns: list[str]) -> None:
    text = SMALLEST.replace("format: csv", f"format: {kind}")
    assert read(text).known_columns() == columns
    assert f"format {kind} has its own columns" in complaints(f"{text}schema: {{line: string}}\n")[0]
    assert "'nr', which is not in the schema" in complaints(f"{text}  partition_by: [nr]\n")[0]


def test_names_are_not_judged_where_the_columns_are_inferred() -> None:
    assert read(f"{SMALLEST}  mode: merge\n  keys: [whatever]\n").known_columns() is None


def test_a_key_may_be_a_derived_column() -> None:
    assert read(FULL.replace("keys: id", "keys: [id, total]")).target.keys == ["id", "total"]


def test_a_spec_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "orders.yaml"
    path.write_text(SMALLEST, encoding="utf-8-sig")
    assert load_spec(path).pipeline == "orders"


def test_a_mistake_in_a_file_is_told_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "orders.yaml"
    path.write_text(SMALLEST.replace("pipeline", "pipelin"))
    with pytest.raises(InvalidInput, match=f"{path}:1:1: pipelin: unknown key"):
        load_spec(path)


def test_a_file_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"There is no spec at .*/nowhere\.yaml"):
        load_spec(tmp_path / "nowhere.yaml")


def test_what_is_no_text_file_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes("pipeline: café".encode("iso-8859-1"))
    for path in (tmp_path, tmp_path / "latin.yaml"):
        with pytest.raises(InvalidInput, match="cannot be read"):
            load_spec(path)
