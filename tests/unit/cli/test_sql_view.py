"""How much of a result is shown."""

import pytest

from boathouse.cli.chart import Chart
from boathouse.cli.output import Format
from boathouse.cli.sql import DEFAULT_LIMIT, View


@pytest.mark.parametrize("form", [Format.TABLE, Format.MARKDOWN])
def test_what_people_read_is_cut(form: Format) -> None:
    assert View(form).at_most == DEFAULT_LIMIT


@pytest.mark.parametrize("form", [Format.CSV, Format.JSON])
def test_what_programs_read_is_whole(form: Format) -> None:
    assert View(form).at_most is None


@pytest.mark.parametrize("form", list(Format))
def test_a_limit_holds_for_every_format_and_zero_is_none(form: Format) -> None:
    assert View(form, limit=5).at_most == 5
    assert View(form, limit=0).at_most is None


def test_a_chart_is_cut_whatever_the_format() -> None:
    assert View(Format.CSV, chart=Chart.BAR).at_most == DEFAULT_LIMIT
