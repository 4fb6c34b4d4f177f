import { Skeleton } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { EmptyState } from "@/parts/EmptyState";
import { type GridSort, gridColumns } from "@/parts/grid/columns";
import { Grid } from "@/parts/grid/Grid";
import { areaOf, everything } from "@/parts/grid/selection";
import { ProblemNote } from "@/parts/ProblemNote";
import { CellDrawer, type OpenCell } from "./CellDrawer";
import { useResult } from "./pages";
import classes from "./Result.module.css";
import { ResultActions } from "./ResultActions";
import { useCopy } from "./useCopy";

type Props = {
  workspace: string;
  run: string;
  /** As high as the window lets it, where the page scrolls; else it fills what its place gives it. */
  tall?: boolean;
  /** Said beside how many rows there are. */
  about?: ReactNode;
};

/** The rows that a run returned: sorted, copied, downloaded, and looked at one by one. */
export function RunResult({ workspace, run, tall, about }: Props) {
  const [sort, setSort] = useState<GridSort>();
  const [open, setOpen] = useState<OpenCell>();
  const { head, rowAt, onSeen, problem } = useResult(workspace, run, sort);
  const first = head.data;
  const columns = useMemo(() => gridColumns(first?.columns ?? [], first?.rows ?? []), [first]);
  const copy = useCopy({ workspace, run, sort }, columns);
  if (problem) return <ProblemNote problem={problem} />;
  if (!first) return <Skeleton className={classes.frame} data-tall={tall || undefined} />;
  const size = { rows: first.total, columns: columns.length, page: 1 };
  return (
    <div className={classes.frame} data-tall={tall || undefined}>
      <div className={classes.bar}>
        <span>
          {first.total.toLocaleString("en")} {first.total === 1 ? "row" : "rows"}
          {first.truncated && " kept; there were more"}
          {about}
        </span>
        <ResultActions
          workspace={workspace}
          run={run}
          onCopyAll={() => void copy(areaOf(everything(size)), true)}
        />
      </div>
      {first.total === 0 ? (
        <EmptyState title="It returned no rows">
          Its columns are {first.columns.map((column) => column.name).join(", ")}.
        </EmptyState>
      ) : (
        <Grid
          label="Result"
          columns={columns}
          count={first.total}
          rowAt={rowAt}
          onSeen={onSeen}
          sort={sort}
          onSort={setSort}
          onOpen={({ row, column }) => {
            const [found, values] = [columns[column], rowAt(row)];
            if (found && values) setOpen({ column: found, row, value: values[column] });
          }}
          onCopy={(area) => void copy(area)}
        />
      )}
      <CellDrawer cell={open} onClose={() => setOpen(undefined)} />
    </div>
  );
}
