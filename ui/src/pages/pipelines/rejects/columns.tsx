import { Checkbox } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { Reject } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { RowLink } from "@/parts/list/RowLink";
import { When } from "@/parts/When";
import { Place, place, wherefrom } from "./place";
import classes from "./Rejects.module.css";

export type Selecting = { selected: ReadonlySet<string>; select: (ids: ReadonlySet<string>) => void };

export function columns(workspace: string, job: string, selecting: Selecting | undefined): Column<Reject>[] {
  const box: Column<Reject> = {
    id: "select",
    title: "Selected",
    unseen: true,
    width: "22px",
    cell: (reject) => selecting && <Box reject={reject} {...selecting} />,
  };
  return [...(selecting ? [box] : []), ...shown(workspace, job)];
}

function shown(workspace: string, job: string): Column<Reject>[] {
  return [
    {
      id: "place",
      title: "From",
      width: "minmax(130px, 1fr)",
      cell: (reject) => (
        <RowLink
          to="/w/$workspace/pipelines/$job"
          params={{ workspace, job }}
          search={(before: object) => ({ ...before, row: reject.id })}
          replace
          resetScroll={false}
          preload={false}
          title={wherefrom(reject)}
          aria-label={place(reject)}
        >
          <Place reject={reject} />
        </RowLink>
      ),
    },
    {
      id: "reason",
      title: "Reason",
      width: "minmax(120px, 1.4fr)",
      cell: ({ reason, note, state }) => {
        const told = state === "open" ? reason : (note ?? reason);
        return <span title={told}>{told}</span>;
      },
    },
    {
      id: "raw",
      title: "Row",
      width: "minmax(140px, 2fr)",
      wide: true,
      cell: (reject) => <Raw reject={reject} />,
    },
    {
      id: "at",
      title: "Rejected",
      width: "96px",
      wide: true,
      cell: ({ rejected_at }) => <When at={rejected_at} />,
    },
  ];
}

function Raw({ reject: { raw, mended } }: { reject: Reject }) {
  return (
    <span className="mono" title={mended ?? raw ?? undefined}>
      {mended !== null && (
        <IconPencil size={13} className={classes.mended} role="img" aria-label="mended" title="mended" />
      )}
      {mended ?? raw}
    </span>
  );
}

function Box({ reject, selected, select }: { reject: Reject } & Selecting) {
  const turn = (chosen: boolean) => {
    const next = new Set(selected);
    if (chosen) next.add(reject.id);
    else next.delete(reject.id);
    select(next);
  };
  return (
    <Checkbox
      size="xs"
      className={classes.box}
      aria-label={`Select ${place(reject)}`}
      checked={selected.has(reject.id)}
      onChange={(event) => turn(event.currentTarget.checked)}
    />
  );
}
