"""Days and moments as Iceberg counts them, before and after the years that Python's own dates know."""

import re
from datetime import UTC, date, datetime, timedelta

_EPOCH = date(1970, 1, 1)
_FRACTION = re.compile(r"\.(\d{1,9})")
DAY_SECONDS = 86_400


def days_of(day: date) -> int:
    return (day - _EPOCH).days


def micros_of(moment: datetime) -> int:
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - epoch) // timedelta(microseconds=1)


def nanos_of(moment: datetime, text: str) -> int:
    """Python's moments end at microseconds: the digits after those are read from the text."""
    found = _FRACTION.search(text)
    digits = found[1].ljust(9, "0") if found else "0" * 9
    return micros_of(moment.replace(microsecond=0)) * 1000 + int(digits)


def civil(days: int) -> tuple[int, int, int]:
    """Year, month and day of the proleptic Gregorian calendar, counted from March in eras of 400 years."""
    era, of_era = divmod(days + 719_468, 146_097)
    year_of_era = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month = (5 * of_year + 2) // 153
    day = of_year - (153 * month + 2) // 5 + 1
    january_or_february = month >= 10
    return year_of_era + era * 400 + january_or_february, month - 9 if january_or_february else month + 3, day


def iso_date(days: int) -> str:
    year, month, day = civil(days)
    sign = "-" if year < 0 else "+" if year > 9999 else ""
    return f"{sign}{abs(year):04d}-{month:02d}-{day:02d}"


def iso_time(micros: int) -> str:
    seconds, fraction = divmod(micros, 1_000_000)
    return f"{_clock(seconds)}.{fraction:06d}"


def iso_timestamp(ticks: int, digits: int) -> str:
    """`ticks` are 10**-digits of a second since 1970."""
    seconds, fraction = divmod(ticks, 10**digits)
    days, of_day = divmod(seconds, DAY_SECONDS)
    return f"{iso_date(days)}T{_clock(of_day)}.{fraction:0{digits}d}"


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
