"""Which rejected rows go into the next round of a replay, and which cannot go at all."""

from collections.abc import Sequence
from dataclasses import dataclass

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.catalog_client import CatalogClient
from boathouse.kit.deadletters.book import Place
from boathouse.kit.deadletters.desk import Desk, Text
from boathouse.pipelines.replay.headers import Headers
from boathouse.pipelines.replay.letters import Letter
from boathouse.pipelines.spec import Format, PipelineSpec

# What goes to Spark in one message, and what becomes of it comes back in one.
MOST_LETTERS = 50_000
MOST_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class Mailbag:
    letters: list[Letter]
    unusable: dict[str, str]
    """Why the rows with these ids are not even tried."""

    @property
    def ids(self) -> set[str]:
        return {letter.id for letter in self.letters} | set(self.unusable)


@dataclass(frozen=True)
class Packer:
    spec: PipelineSpec
    desk: Desk
    client: CatalogClient
    store: ObjectStoreAccess

    def pack(self, places: Sequence[Place]) -> Mailbag:
        """As many of the first of them as go at once."""
        places = places[:MOST_LETTERS]
        texts = self.desk.texts(places)
        headers = self._headers(places)
        letters: list[Letter] = []
        unusable: dict[str, str] = {}
        room = MOST_BYTES
        of_file: dict[str, str | None] = {}
        for place in places:
            letter = _letter(place, texts[place.id], headers.get((place.load_id, place.file)))
            if (why := self._why_not(letter, place, texts[place.id])) is not None:
                unusable[letter.id] = why
                continue
            room -= len(letter.raw)
            if room < 0 and letters:
                break
            # A file that was loaded twice may have had another header each time; those rows go in the next round.
            if of_file.setdefault(letter.file, letter.header) == letter.header:
                letters.append(letter)
        return Mailbag(letters, unusable)

    @property
    def _has_headers(self) -> bool:
        return self.spec.source.format is Format.CSV and self.spec.source.csv.header

    def _headers(self, places: Sequence[Place]) -> dict[tuple[str, str], str | None]:
        if not self._has_headers:
            return {}
        headers = Headers(self.client, self.store, self.spec.target.table, self.spec.source.encoding)
        return headers.of((place.load_id, place.file) for place in places)

    def _why_not(self, letter: Letter, place: Place, text: Text) -> str | None:
        if text.raw is None and place.fate.raw is None:
            return "there is no text of it to replay"
        if self._has_headers and letter.header is None:
            return "the columns of its file are not known any more: the file is gone or has changed"
        if b"\n" in letter.raw and not self._may_have_newlines:
            return "it is more than one line, and a row of such a file is one"
        return None

    @property
    def _may_have_newlines(self) -> bool:
        source = self.spec.source
        return source.format in {Format.JSON, Format.PARQUET} or (source.format is Format.CSV and source.csv.multiline)


def _letter(place: Place, text: Text, header: str | None) -> Letter:
    mended = place.fate.raw
    raw = mended.encode() if mended is not None else text.raw_bytes or (text.raw or "").encode()
    return Letter(place.id, place.load_id, place.file, place.line, raw, mended, header)
