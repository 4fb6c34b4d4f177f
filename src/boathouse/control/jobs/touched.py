"""What a run read and wrote, by the names of datasets."""

from pydantic import BaseModel, ConfigDict, Field


class Touched(BaseModel):
    model_config = ConfigDict(frozen=True)

    reads: frozenset[str] = Field(default_factory=frozenset[str])
    writes: frozenset[str] = Field(default_factory=frozenset[str])

    def __bool__(self) -> bool:
        return bool(self.reads or self.writes)

    def __or__(self, other: "Touched") -> "Touched":
        return Touched(reads=self.reads | other.reads, writes=self.writes | other.writes)


NOTHING_TOUCHED = Touched()
