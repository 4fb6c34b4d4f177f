import { Skeleton, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { RunInFull } from "@/api/types";
import { EmptyState } from "@/parts/EmptyState";
import { ProblemNote } from "@/parts/ProblemNote";
import { isOver } from "@/parts/states";
import { RunResult } from "../../runs/result/RunResult";
import { ChartView } from "../chart/ChartView";
import type { Tab } from "../desk/desk";
import type { Place } from "../editor/errorPlace";
import { sqlRoute } from "../routes";
import { Failure } from "./Failure";
import classes from "./Outcome.module.css";
import { Progress } from "./Progress";
import { Statistics } from "./Statistics";

type Props = {
  workspace: string;
  tab: Tab;
  run: UseQueryResult<RunInFull>;
  /** Why it could not even be asked. */
  refusal: unknown;
  place: Place | undefined;
  onGoTo: (place: Place) => void;
};

/** Below the text: what became of it. */
export function Outcome({ workspace, tab, run, refusal, place, onGoTo }: Props) {
  if (refusal) return <ProblemNote problem={refusal} />;
  if (!tab.asked) return <Nothing />;
  if (run.error && !run.data) return <ProblemNote problem={run.error} />;
  if (!run.data) return <Skeleton className={classes.frame} />;
  if (!isOver(run.data.state)) return <Progress run={run.data} />;
  if (run.data.state !== "succeeded") {
    return <Failure workspace={workspace} run={run.data} place={place} onGoTo={onGoTo} />;
  }
  return <Answer key={run.data.id} workspace={workspace} run={run.data} engine={tab.asked.engine} />;
}

type AnswerProps = { workspace: string; run: RunInFull; engine: string };

function Answer({ workspace, run, engine }: AnswerProps) {
  const { view = "rows" } = sqlRoute.useSearch();
  return (
    <>
      <Statistics workspace={workspace} run={run} engine={engine} view={run.result ? view : undefined} />
      {!run.result && (
        <div className={classes.frame}>
          <EmptyState title="Done">It returned no rows. What it did is in the log of its run.</EmptyState>
        </div>
      )}
      {run.result && view === "rows" && <RunResult workspace={workspace} run={run.id} />}
      {run.result && view === "chart" && <ChartView workspace={workspace} run={run.id} />}
    </>
  );
}

function Nothing() {
  return (
    <div className={classes.frame}>
      <EmptyState title="Write SQL, and press Ctrl-Enter">
        <Text size="sm">
          Tables and columns are completed as you type. Where something is selected, only that is run. A{" "}
          <span className="mono">:name</span> gets a field for its value.
        </Text>
      </EmptyState>
    </div>
  );
}
