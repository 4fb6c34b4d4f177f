import { SegmentedControl } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { RunInFull } from "@/api/types";
import { bytes } from "@/parts/amounts";
import { Duration, When } from "@/parts/When";
import type { View } from "../routes";
import classes from "./Outcome.module.css";

type Props = { workspace: string; run: RunInFull; engine: string; view: View | undefined };

/** One line on how it went, and how it is looked at. */
export function Statistics({ workspace, run, engine, view }: Props) {
  const navigate = useNavigate();
  const read = (run.progress as { bytes_read?: number } | null)?.bytes_read;
  return (
    <div className={classes.views}>
      <span className={classes.figures}>
        {engine} took <Duration from={run.started_at} to={run.ended_at} />
        {read ? ` · ${bytes(read)} read` : ""} · asked <When at={run.created_at} /> ·{" "}
        <Link to="/w/$workspace/runs/$run" params={{ workspace, run: run.id }}>
          Log and timeline
        </Link>
      </span>
      {view && (
        <SegmentedControl
          aria-label="How it is looked at"
          size="xs"
          data={[
            { value: "rows", label: "Rows" },
            { value: "chart", label: "Chart" },
          ]}
          value={view}
          onChange={(next) =>
            void navigate({
              to: "/w/$workspace/sql",
              params: { workspace },
              search: (before) => ({ ...before, view: next === "chart" ? "chart" : undefined }),
              replace: true,
            })
          }
        />
      )}
    </div>
  );
}
