"""When each stage of Spark's began and ended: as Spark says, or else as reports of progress show, one every half second."""

from collections.abc import Iterable, Mapping
from typing import Any

from boathouse.control.runs.schemas import StageTold

# More are drawn by nobody, and every report would carry them all.
_MOST = 200


class StageClock:
    def __init__(self) -> None:
        self._stages: dict[int, StageTold] = {}

    def saw(self, reported: Iterable[Mapping[str, Any]], at: int) -> None:
        """The stages of one report, at so many milliseconds since 1970. What is no longer reported is over."""
        now = {int(stage["id"]): stage for stage in reported}
        for number, stage in now.items():
            known = self._stages.get(number)
            if known is None and len(self._stages) >= _MOST:
                continue
            seen = {
                "began": known.began if known else at,
                "ended": (known.ended if known and known.ended else at) if stage["done"] else None,
            }
            said = {name: stage[name] for name in seen if stage.get(name) is not None}
            self._stages[number] = StageTold.model_validate({**stage, **seen, **said})
        for number in self._stages.keys() - now.keys():
            if self._stages[number].ended is None:
                self._stages[number] = self._stages[number].model_copy(update={"ended": at})

    def told(self) -> list[dict[str, Any]]:
        return [stage.model_dump() for _, stage in sorted(self._stages.items())]
