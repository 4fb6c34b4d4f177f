import { Skeleton } from "@mantine/core";
import classes from "./DataList.module.css";

/** As high as the rows that will come, so that nothing jumps. */
export function SkeletonRows({ count, columns, tracks }: { count: number; columns: number; tracks: string }) {
  const rows = Array.from({ length: count }, (_, row) => `row ${row}`);
  const cells = Array.from({ length: columns }, (_, cell) => `cell ${cell}`);
  return (
    <div role="rowgroup">
      {rows.map((row) => (
        <div key={row} role="row" className={classes.row} style={{ gridTemplateColumns: tracks }}>
          {cells.map((cell) => (
            <div key={cell} role="cell" className={classes.cell}>
              <Skeleton height={10} width="70%" />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
