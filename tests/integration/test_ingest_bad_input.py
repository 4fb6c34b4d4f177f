"""Files as they come: each is loaded, refused with a clear error, or rejected row by row with the reason."""

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import SecretStr

from boathouse.kit.errors import Forbidden, InvalidInput, NotFound, Unavailable, WorkFailed
from boathouse.pipelines.ingest import load as load_module
from boathouse.pipelines.ingest import rows as rows_module
from boathouse.pipelines.spec import ENCODINGS
from tests.loading import Loading

pytestmark = pytest.mark.stack

THINGS = """
    pipeline: things
    source: {path: "*.csv", format: csv}
    schema: {id: int, name: string, size: double}
    target: {table: NS.things}
"""


def rejects(loading: Loading) -> list[tuple[object, ...]]:
    return loading.rows("select line, reason from NS.things__rejects order by line")


def test_ragged_rows_are_rejected_and_the_others_loaded(loading: Loading) -> None:
    loading.write("a.csv", "id,name,size\n1,a,1.0\n2,b\n3,c,3.0,4.0\n4,d,4.0\n")
    report = loading.run(THINGS)
    assert (report.rows_in, report.rows_written) == (4, 2)
    assert rejects(loading) == [(3, "too few fields (expected 3)"), (4, "too many fields (expected 3)")]


def test_bytes_that_are_not_utf8_are_rejected_with_the_bytes_kept(loading: Loading) -> None:
    loading.write("a.csv", b"id,name,size\n1,ok,1\n2,caf\xe9,2\n")
    assert loading.run(THINGS).rows_written == 1
    assert rejects(loading) == [(3, "not valid UTF-8")]
    ((raw, kept),) = loading.rows("select raw, raw_bytes from NS.things__rejects")
    assert (raw, bytes(kept)) == ("2,caf\ufffd,2", b"2,caf\xe9,2")


@pytest.mark.parametrize("encoding", [name for name in ENCODINGS if name != "us-ascii"])
def test_every_encoding_of_a_spec_is_read(loading: Loading, encoding: str) -> None:
    word = "café" if encoding == "utf-8" else b"caf\xe9".decode(encoding)
    loading.write("a.csv", f"id,name,size\n1,{word},1\n".encode(encoding))
    loading.run(THINGS.replace("format: csv", f"format: csv, encoding: {encoding}"))
    assert loading.rows("select name from NS.things") == [(word,)]


@pytest.mark.parametrize(("encoding", "byte"), [("us-ascii", b"\xe9"), ("windows-1252", b"\x81")])
def test_a_byte_that_the_encoding_does_not_have_is_rejected(loading: Loading, encoding: str, byte: bytes) -> None:
    loading.write("a.csv", b"id,name,size\n1,a,1\n2,caf" + byte + b",2\n")
    assert loading.run(THINGS.replace("format: csv", f"format: csv, encoding: {encoding}")).rows_written == 1
    assert rejects(loading) == [(3, f"not valid {encoding.upper()}")]


def test_utf16_is_refused_with_what_to_do(loading: Loading) -> None:
    loading.write("a.csv", "id,name,size\n1,a,1\n".encode("utf-16"))
    with pytest.raises(InvalidInput, match="is UTF-16") as caught:
        loading.run(THINGS)
    assert "iconv" in str(caught.value.hint)


@pytest.mark.parametrize("header", [True, False])
def test_a_byte_order_mark_is_no_part_of_the_data(loading: Loading, header: bool) -> None:  # noqa: FBT001
    loading.write("a.csv", b"\xef\xbb\xbf" + (b"id,name,size\n" if header else b"") + b"1,a,1\n")
    spec = THINGS if header else THINGS.replace("format: csv", "format: csv, csv: {header: false}")
    assert loading.run(spec).rows_written == 1
    assert loading.rows("select id, name from NS.things") == [(1, "a")]


def test_carriage_returns_of_other_systems_are_no_part_of_the_data(loading: Loading) -> None:
    loading.write("a.csv", b"id,name,size\r\n1,a,1\r\n2,b,\r\n")
    loading.run(THINGS)
    assert loading.rows("select id, name, size from NS.things order by id") == [(1, "a", 1.0), (2, "b", None)]


def test_a_quote_over_lines_is_rejected_unless_the_spec_allows_it(loading: Loading) -> None:
    content = 'id,name,size\n1,"two\nlines",1\n2,"say ""hi"", twice",2\n'
    loading.write("a.csv", content)
    assert loading.run(THINGS).rows_written == 1
    assert [line for line, _ in rejects(loading)] == [2, 3]
    assert "a quote is opened and not closed" in str(rejects(loading)[0][1])


def test_fields_that_run_over_lines_are_read_whole_with_multiline(loading: Loading) -> None:
    loading.write("a.csv", 'id,name,size\n1,"two\nlines",1\n\nx,"bad\none",2\n3,"say ""hi"", twice",3\n')
    loading.run(THINGS.replace("format: csv", "format: csv, csv: {multiline: true}"))
    assert loading.rows("select id, name from NS.things order by id") == [(1, "two\nlines"), (3, 'say "hi", twice')]
    assert rejects(loading) == [(5, "id is not int: x")]


def test_an_escaped_quote_does_not_end_a_field_that_runs_over_lines(loading: Loading) -> None:
    loading.write("a.csv", 'id,name,size\n1,"5\\" pipe\nx",1\n2,"back\\\\",2\n')
    loading.run(THINGS.replace("format: csv", 'format: csv, csv: {multiline: true, escape: "\\\\"}'))
    assert loading.rows("select id, name from NS.things order by id") == [(1, '5" pipe\nx'), (2, "back\\")]


def test_a_number_that_parquet_would_round_is_rejected(loading: Loading) -> None:
    pq.write_table(pa.table({"id": [1.0, 1.9], "name": ["a", "b"], "size": [1.0, 2.0]}), loading.folder / "a.parquet")
    assert loading.run(THINGS.replace('"*.csv", format: csv', '"*.parquet", format: parquet')).rows_written == 1
    assert rejects(loading) == [(2, "id is not int: 1.9")]


def test_a_truncated_last_field_is_never_taken_for_a_whole_one(loading: Loading) -> None:
    loading.write("a.csv", 'size,id,name\n1,1,"cut off\n')
    assert loading.run(THINGS).rows_written == 0
    assert [line for line, _ in rejects(loading)] == [2]


def test_a_file_without_a_header_takes_its_columns_from_the_schema(loading: Loading) -> None:
    loading.write("a.csv", "1,a,1\n2,b,2\n")
    assert loading.run(THINGS.replace("format: csv", "format: csv, csv: {header: false}")).rows_written == 2


def test_a_header_that_is_data_is_refused(loading: Loading) -> None:
    loading.write("a.csv", "1,a,5\n2,b,2\n")
    with pytest.raises(InvalidInput, match="columns that the schema does not: 1, a, 5"):
        loading.run(THINGS)


def test_a_missing_column_is_refused_or_filled(loading: Loading) -> None:
    loading.write("a.csv", "id,name\n1,a\n")
    with pytest.raises(InvalidInput, match="lacks columns of the schema: size"):
        loading.run(THINGS)
    loading.run(THINGS.replace("format: csv", "format: csv, missing_columns: fill"))
    assert loading.rows("select * from NS.things") == [(1, "a", None)]


def test_an_empty_file_is_loaded_as_no_rows(loading: Loading) -> None:
    loading.write("a.csv", "")
    report = loading.run(THINGS)
    assert (report.files_loaded, report.rows_in) == (1, 0)
    assert loading.rows("select count(*) from NS.things") == [(0,)]
    assert loading.rows("select lines from NS.things__loads") == [(0,)]


def test_a_file_of_a_header_alone_is_loaded_as_no_rows(loading: Loading) -> None:
    loading.write("a.csv", "id,name,size\n")
    assert loading.run(THINGS).rows_in == 0


def test_nul_bytes_are_data_like_any_other(loading: Loading) -> None:
    loading.write("a.csv", b"id,name,size\n1,a\x00b,1\n")
    loading.run(THINGS)
    assert loading.rows("select name from NS.things") == [("a\x00b",)]


def test_a_field_of_a_million_characters_is_loaded_whole(loading: Loading) -> None:
    loading.write("a.csv", f"id,name,size\n1,{'x' * 1_000_000},1\n2,b,2\n")
    assert loading.run(THINGS).rows_written == 2
    assert loading.rows("select max(length(name)) from NS.things") == [(1_000_000,)]


def test_a_column_that_changes_its_type_halfway_is_rejected_from_there(loading: Loading) -> None:
    rows = [f"{n if n < 5_000 else f'n{n}'},a,1" for n in range(10_000)]
    loading.write("a.csv", "\n".join(["id,name,size", *rows, ""]))
    report = loading.run(THINGS)
    assert (report.rows_written, report.rows_quarantined) == (5_000, 5_000)
    assert loading.rows("select min(line), max(line), count(distinct line) from NS.things__rejects") == [
        (5_002, 10_001, 5_000)
    ]


def test_inference_makes_such_a_column_text(loading: Loading) -> None:
    loading.write("a.csv", "id,name,size\n1,a,1\nx,b,2\n")
    loading.run("""
        pipeline: things
        source: {path: "*.csv", format: csv}
        target: {table: NS.things}
    """)
    assert loading.rows("select id from NS.things order by id") == [("1",), ("x",)]


def test_rejects_are_found_again_when_they_are_too_many_to_gather(
    loading: Loading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_module, "MOST_GATHERED", 0)
    loading.write("a.csv", "id,name,size\n1,a,1\nx,b,2\n")
    assert loading.run(THINGS).rows_quarantined == 1
    assert rejects(loading) == [(3, "id is not int: x")]


def test_a_bad_row_in_one_file_rejects_none_in_a_file_of_another_header(loading: Loading) -> None:
    loading.write("a.csv", "id,name,size\n1,a,1\nx,b,2\n3,c,3\n")
    loading.write("b.csv", "name,size,id\nd,4,4\ne,5,5\nf,6,6\n")
    report = loading.run(THINGS)
    assert (report.rows_written, report.rows_quarantined) == (5, 1)
    assert rejects(loading) == [(3, "id is not int: x")]


def test_line_numbers_hold_across_the_pieces_spark_reads(loading: Loading) -> None:
    """The file is larger than the smallest piece, so that its end is numbered from the scan's counts."""
    size = 12 * 1024 * 1024
    row = "1," + "y" * 997 + ",2\n"
    bad = {7, 4_200, 8_400, size // len(row)}
    lines = ["x,bad,0\n" if n in bad else row for n in range(1, size // len(row) + 1)]
    loading.write("a.csv", "id,name,size\n" + "".join(lines))
    assert loading.run(THINGS).rows_quarantined == len(bad)
    assert [line for line, _ in rejects(loading)] == sorted(n + 1 for n in bad)


def test_names_that_look_like_patterns_or_urls_are_files_like_others(loading: Loading) -> None:
    for name in ("a[1]{x}.csv", "per%20cent + plus.csv", "ümlaut ☂.csv"):
        loading.write(name, f"id,name,size\n1,{len(name)},1\nx,{len(name)},1\n")
    report = loading.run(THINGS)
    assert (report.files_loaded, report.rows_written, report.rows_quarantined) == (3, 3, 3)
    found = loading.rows("select file, line from NS.things__rejects")
    assert sorted(found) == sorted((f"file://{path}", 3) for path in loading.folder.iterdir())


def test_a_name_spark_would_pass_over_is_refused(loading: Loading) -> None:
    loading.write("_a.csv", "id,name,size\n1,a,1\n")
    with pytest.raises(InvalidInput, match="begins with '_'"):
        loading.run(THINGS.replace('"*.csv"', "_a.csv"))


def test_a_missing_file_is_named(loading: Loading) -> None:
    with pytest.raises(NotFound, match=r"no file .*/nowhere\.csv"):
        loading.run(THINGS.replace('"*.csv"', "nowhere.csv"))
    with pytest.raises(NotFound, match=r"No file matches '\*\.csv' in "):
        loading.run(THINGS)


def test_a_header_that_names_a_column_twice_is_refused(loading: Loading) -> None:
    loading.write("a.csv", "id,name,size,NAME\n1,a,1,b\n")
    with pytest.raises(InvalidInput, match="twice"):
        loading.run(THINGS)


def test_refused_credentials_are_said_to_be_so(loading: Loading) -> None:
    store = loading.access.object_store
    wrong = loading.access.model_copy(
        update={"object_store": store.model_copy(update={"secret_key": SecretStr("x" * 40)})}
    )
    elsewhere = Loading(loading.folder, loading.namespace, loading.session, wrong)
    with pytest.raises(Forbidden, match="does not allow access"):
        elsewhere.run(THINGS.replace('"*.csv"', f"s3://{store.bucket}/somewhere/*.csv"))


def test_a_store_that_does_not_answer_is_said_to_be_so(loading: Loading) -> None:
    store = loading.access.object_store
    nowhere = store.model_copy(update={"endpoint": "http://127.0.0.1:1"})
    elsewhere = Loading(
        loading.folder, loading.namespace, loading.session, loading.access.model_copy(update={"object_store": nowhere})
    )
    with pytest.raises(Unavailable, match="Storage failed"):
        elsewhere.run(THINGS.replace('"*.csv"', f"s3://{store.bucket}/somewhere/*.csv"))


def test_a_file_that_grows_while_it_is_read_stops_the_load(loading: Loading, monkeypatch: pytest.MonkeyPatch) -> None:
    path = loading.write("a.csv", "id,name,size\n1,a,1\n")
    write_rejects = load_module.write_rejects

    def grow(*arguments: Any, **named: Any) -> None:
        with path.open("a") as file:
            file.write("2,b,2\n")
        write_rejects(*arguments, **named)

    monkeypatch.setattr(load_module, "write_rejects", grow)
    with pytest.raises(WorkFailed, match="changed while it was being read"):
        loading.run(THINGS)
    with loading.catalog() as client:
        assert list(client.tables((loading.namespace,))) == []


@pytest.mark.parametrize(
    ("kind", "content"),
    [("parquet", b"this is not Parquet"), ("parquet", b""), ("json", b""), ("csv", b"\n\n\n")],
)
def test_a_file_of_another_kind_is_refused(loading: Loading, kind: str, content: bytes) -> None:
    loading.write("a.dat", content)
    with pytest.raises(InvalidInput):
        loading.run(f"""
            pipeline: things
            source: {{path: a.dat, format: {kind}}}
            target: {{table: NS.things}}
        """)


@pytest.mark.parametrize(
    ("addition", "complaint"),
    [
        ("expectations: [{name: is big, check: sise > 1}]", "The expectation 'is big' cannot be evaluated.*`sise`"),
        ("expectations: [{check: size >}]", "The expectation 'size >' cannot be evaluated"),
        ("derive: {area: size * width}", "The derived column 'area' cannot be evaluated.*`width`"),
    ],
)
def test_an_expression_that_is_not_sql_is_refused_by_its_name(loading: Loading, addition: str, complaint: str) -> None:
    loading.write("a.csv", "id,name,size\n1,a,1\n")
    with pytest.raises(InvalidInput, match=complaint):
        loading.run(f"{THINGS}    {addition}\n")


@pytest.mark.parametrize("options", ["", ", csv: {multiline: true}"])
def test_bytes_that_are_not_utf8_are_found_whatever_the_line_ends(loading: Loading, options: str) -> None:
    loading.write("a.csv", b"\xef\xbb\xbfid,name,size\r\n1,ok,1\r\n2,caf\xe9,2\r\n")
    report = loading.run(THINGS.replace("format: csv", f"format: csv{options}"))
    assert (report.rows_written, report.rows_quarantined) == (1, 1)
    ((line, reason, kept),) = loading.rows("select line, reason, raw_bytes from NS.things__rejects")
    assert (line, reason, bytes(kept)) == (3, "not valid UTF-8", b"2,caf\xe9,2")


def test_a_byte_order_mark_before_multiline_records_is_no_part_of_them(loading: Loading) -> None:
    loading.write("a.csv", b"\xef\xbb\xbfa,1,1\n")
    spec = THINGS.replace("id: int, name: string", "name: string, id: int")
    loading.run(spec.replace("format: csv", "format: csv, csv: {multiline: true, header: false}"))
    assert loading.rows("select name from NS.things") == [("a",)]


def test_a_stray_quote_loses_no_line_with_multiline(loading: Loading) -> None:
    loading.write("a.csv", 'id,size,name\n1,1,5" pipe\n2,2,foo\n3,3,6" pipe\n4,4,bar\n5,5,"never closed\n6,6,x\n')
    report = loading.run(THINGS.replace("format: csv", "format: csv, csv: {multiline: true}"))
    assert (report.rows_written, report.rows_quarantined) == (1, 2)
    assert loading.rows("select id from NS.things") == [(4,)]
    rejected = loading.rows("select line, reason, raw from NS.things__rejects order by line")
    assert [(line, raw) for line, _, raw in rejected] == [
        (2, '1,1,5" pipe\n2,2,foo\n3,3,6" pipe'),
        (6, '5,5,"never closed\n6,6,x\n'),
    ]
    assert "a quote stands inside a field" in str(rejected[0][1])
    assert "a quote is opened and not closed" in str(rejected[1][1])


def test_a_second_json_object_on_a_line_is_not_passed_over(loading: Loading) -> None:
    good = '{"id": 1, "items": [{"n": 1}, {"n": 2}]}'
    loading.write("a.json", f"{good}\n{good}{good}\n{good} rest\n{good},{good}\n{good}  \n")
    report = loading.run("""
        pipeline: things
        source: {path: a.json, format: json}
        schema: {id: int, items: "array<struct<n:int>>"}
        target: {table: NS.things}
    """)
    assert (report.rows_written, report.rows_quarantined) == (2, 3)
    assert rejects(loading) == [(line, "more than one JSON object on the line") for line in (2, 3, 4)]


def test_a_derived_value_that_overflows_stops_the_load(loading: Loading) -> None:
    loading.write("a.csv", "id,name,size\n100000,a,1\n")
    with pytest.raises(Exception, match="ARITHMETIC_OVERFLOW"):
        loading.run(f"{THINGS}    derive: {{square: id * id}}\n")
    with loading.catalog() as client:
        assert list(client.tables((loading.namespace,))) == []
