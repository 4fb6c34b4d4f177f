"""A stream's status as people look at it: a line for each hop."""

from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from boathouse.pipelines.stream.status import SOURCE

_STYLES = {"running": "green", "failing": "red", "starting": "yellow", "stopped": "dim"}


def hops_table(status: dict[str, Any]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("hop")
    table.add_column("to")
    table.add_column("state")
    for name in ("events", "a second", "behind", "freshness", "last batch"):
        table.add_column(name, justify="right")
    for hop in status["hops"]:
        table.add_row(
            hop["title"],
            hop["to"],
            Text(hop["state"], style=_STYLES.get(hop["state"], "")),
            f"{hop['events']:,}",
            f"{hop['rate']:,.0f}",
            "-" if hop["lag"] is None else f"{hop['lag']:,}",
            _seconds(hop["freshness"]),
            _seconds(hop["batch_seconds"]),
        )
    return table


def alerts_text(status: dict[str, Any]) -> Text:
    return Text("\n".join(f"! {alert['text']}" for alert in status["alerts"]), style="yellow")


def arrived(status: dict[str, Any]) -> bool:
    """Whether nothing is on its way any more, as far as the hops know."""
    hops = [hop for hop in status["hops"] if hop["name"] != SOURCE]
    return bool(hops) and all(hop["lag"] == 0 for hop in hops)


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} s"
