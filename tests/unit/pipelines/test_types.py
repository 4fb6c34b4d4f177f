"""Column types are read, written and compared without losing anything."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boathouse.pipelines.types import (
    PRIMITIVES,
    SPARK_NAMES,
    ColumnType,
    Decimal,
    ListOf,
    MapOf,
    Primitive,
    Struct,
    fits,
    from_iceberg,
    from_spark,
    iceberg_schema,
    is_exact,
    is_number,
    parse_type,
    quoted,
    spark_type,
    widens,
)

DECIMALS = st.integers(1, 38).flatmap(lambda p: st.builds(Decimal, st.just(p), st.integers(0, p)))
FIELD_NAMES = st.text(min_size=1, max_size=6)


def structs(inner: st.SearchStrategy[ColumnType]) -> st.SearchStrategy[ColumnType]:
    fields = st.lists(st.tuples(FIELD_NAMES, inner), min_size=1, max_size=3, unique_by=lambda field: field[0].lower())
    return fields.map(lambda pairs: Struct(tuple(pairs)))


TYPES: st.SearchStrategy[ColumnType] = st.recursive(
    st.sampled_from([Primitive(name) for name in SPARK_NAMES]) | DECIMALS,
    lambda inner: st.builds(ListOf, inner) | st.builds(MapOf, inner, inner) | structs(inner),
    max_leaves=6,
)


@settings(max_examples=50)
@given(TYPES)
def test_a_type_written_for_spark_is_read_as_the_same(kind: ColumnType) -> None:
    assert parse_type(spark_type(kind)) == kind


@settings(max_examples=50)
@given(st.dictionaries(FIELD_NAMES, TYPES, max_size=4))
def test_a_schema_written_for_iceberg_is_read_as_the_same(columns: dict[str, ColumnType]) -> None:
    fields = iceberg_schema(columns)["fields"]
    assert {field["name"]: from_iceberg(field["type"]) for field in fields} == columns


def test_every_field_of_an_iceberg_schema_has_an_id_of_its_own() -> None:
    kind = parse_type("map<string,array<struct<x:int,y:map<string,int>>>>")
    ids: list[int] = []

    def gather(node: object) -> None:
        for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
            if isinstance(key, str) and (key == "id" or key.endswith("-id")) and key != "schema-id":
                ids.append(value)
            gather(value)

    gather(iceberg_schema({"a": kind, "b": Primitive("int")}))
    assert sorted(ids) == list(range(1, len(ids) + 1))
    assert len(ids) == 9


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((name, Primitive(stored)) for name, stored in PRIMITIVES.items()),
        ("BigInt", Primitive("long")),
        ("  int ", Primitive("int")),
        ("numeric(5)", Decimal(5, 0)),
        ("decimal( 38 , 38 )", Decimal(38, 38)),
        ("array<array<int>>", ListOf(ListOf(Primitive("int")))),
        ("map<string, double>", MapOf(Primitive("string"), Primitive("double"))),
        ("struct<a:int, b string>", Struct((("a", Primitive("int")), ("b", Primitive("string"))))),
        ("struct<`odd ``name``, yes`:int>", Struct((("odd `name`, yes", Primitive("int")),))),
    ],
)
def test_types_as_people_write_them(text: str, kind: ColumnType) -> None:
    assert parse_type(text) == kind


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a name before 'its end'"),
        ("text", "'text' is not a type; the types are boolean, "),
        ("int int", "has more after the type: 'int'"),
        ("decimal(39,0)", "out of range"),
        ("decimal(0)", "out of range"),
        ("decimal(5,6)", "out of range"),
        ("decimal(x)", "expected a number before 'x'"),
        ("array<int", "expected '>' before 'its end'"),
        ("array", "expected '<' before 'its end'"),
        ("map<string>", "expected ',' before '>'"),
        ("struct<>", "expected a name before '>'"),
        ("struct<a:int,A:int>", "names the field 'A' twice"),
        ("int; drop table x", "cannot read it from '; drop table x' on"),
        ("array<" * 5_000, "nested too deeply"),
    ],
)
def test_what_is_not_a_type_is_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_type(text)
    assert complaint in str(caught.value)


@settings(max_examples=50)
@given(st.text(alphabet=string.ascii_lowercase[:6] + "<>(),:` 1", max_size=30))
def test_any_text_is_a_type_or_a_value_error(text: str) -> None:
    try:
        kind = parse_type(text)
    except ValueError:
        return
    assert parse_type(spark_type(kind)) == kind


@pytest.mark.parametrize(
    ("described", "kind"),
    [
        ("byte", Primitive("int")),
        ("short", Primitive("int")),
        ("integer", Primitive("int")),
        ("long", Primitive("long")),
        ("timestamp", Primitive("timestamptz")),
        ("timestamp_ntz", Primitive("timestamp")),
        ("decimal(20,0)", Decimal(20, 0)),
        ({"type": "array", "elementType": "string", "containsNull": True}, ListOf(Primitive("string"))),
        ({"type": "map", "keyType": "string", "valueType": "float"}, MapOf(Primitive("string"), Primitive("float"))),
        (
            {"type": "struct", "fields": [{"name": "a:b <c>", "type": "date"}]},
            Struct((("a:b <c>", Primitive("date")),)),
        ),
    ],
)
def test_what_spark_found_is_understood_whatever_its_fields_are_called(described: object, kind: ColumnType) -> None:
    assert from_spark(described) == kind


@pytest.mark.parametrize("described", ["void", "interval day", "variant", "time(6)"])
def test_what_no_table_can_hold_is_refused(described: str) -> None:
    with pytest.raises(ValueError, match="a table cannot hold"):
        from_spark(described)


@pytest.mark.parametrize(
    ("old", "new", "allowed"),
    [
        ("int", "bigint", True),
        ("float", "double", True),
        ("decimal(5,2)", "decimal(9,2)", True),
        ("bigint", "int", False),
        ("double", "float", False),
        ("int", "double", False),
        ("int", "string", False),
        ("decimal(5,2)", "decimal(5,2)", False),
        ("decimal(9,2)", "decimal(5,2)", False),
        ("decimal(5,2)", "decimal(9,3)", False),
        ("date", "timestamp", False),
        ("array<int>", "array<bigint>", False),
    ],
)
def test_a_column_widens_only_where_no_file_need_be_rewritten(old: str, new: str, allowed: bool) -> None:  # noqa: FBT001
    assert widens(parse_type(old), parse_type(new)) is allowed


@settings(max_examples=50)
@given(TYPES, TYPES)
def test_widening_has_one_direction_and_fitting_includes_equality(one: ColumnType, other: ColumnType) -> None:
    assert not (widens(one, other) and widens(other, one))
    assert fits(one, one)
    assert fits(one, other) == (one == other or widens(one, other))


def test_a_type_that_no_spec_can_name_still_has_a_name_in_messages() -> None:
    assert spark_type(from_iceberg("uuid")) == "uuid"


@pytest.mark.parametrize(
    ("kind", "number", "exact"),
    [
        ("int", True, True),
        ("bigint", True, True),
        ("decimal(5,2)", True, True),
        ("double", True, False),
        ("float", True, False),
        ("string", False, False),
        ("boolean", False, False),
        ("array<int>", False, False),
    ],
)
def test_numbers_are_exact_or_near(kind: str, number: bool, exact: bool) -> None:  # noqa: FBT001
    assert (is_number(parse_type(kind)), is_exact(parse_type(kind))) == (number, exact)


def test_a_quoted_name_cannot_end_early() -> None:
    assert quoted("a`b") == "`a``b`"


@pytest.mark.parametrize("text", ["decimal", "numeric", "array<decimal>"])
def test_a_decimal_without_its_digits_is_refused_because_it_would_lose_them(text: str) -> None:
    with pytest.raises(ValueError, match=r"needs its digits, such as decimal\(10,2\)"):
        parse_type(text)
