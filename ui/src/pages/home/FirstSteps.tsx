import { IconCircle, IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api, told } from "@/api/client";
import { newestRunsQuery } from "@/pages/runs/queries";
import { Section } from "@/parts/Section";
import classes from "./FirstSteps.module.css";

/** What to do first in an empty workspace. Gone once a run has succeeded. */
export function FirstSteps({ workspace }: { workspace: string }) {
  const { data: runs } = useQuery(newestRunsQuery(workspace));
  const { data: jobs } = useQuery(oneQuery(workspace, "jobs"));
  const { data: connections } = useQuery(oneQuery(workspace, "connections"));
  if (!runs || jobs === undefined || connections === undefined) return null;
  if (runs.some((run) => run.state === "succeeded")) return null;
  return (
    <Section title="First steps">
      <ol className={classes.steps}>
        <Step done>Make a workspace.</Step>
        <Step done={connections}>
          <Link to="/w/$workspace/new-connection" params={{ workspace }}>
            Connect what you have
          </Link>
          , here or with <code>boathouse connection create</code>. The lakehouse's own tables need none.
        </Step>
        <Step done={jobs}>
          <Link to="/w/$workspace/new-job" params={{ workspace }}>
            Write a job
          </Link>
          , here or as a file: <code>boathouse job apply FILE.yaml</code>.
        </Step>
        <Step done={runs.length > 0}>
          <Link to="/w/$workspace/jobs" params={{ workspace }}>
            Run it
          </Link>{" "}
          from its page or with <code>boathouse job run NAME</code>, and watch it here.
        </Step>
      </ol>
    </Section>
  );
}

function Step({ done, children }: { done?: boolean; children: ReactNode }) {
  const Sign = done ? IconCircleCheck : IconCircle;
  return (
    <li className={classes.step} data-done={done || undefined}>
      <Sign size={17} aria-label={done ? "done" : "to do"} />
      <span>{children}</span>
    </li>
  );
}

/** Whether there is any. */
function oneQuery(workspace: string, what: "jobs" | "connections") {
  const params = { path: { workspace }, query: { limit: 1 } };
  return {
    queryKey: [what, workspace, "any"],
    queryFn: async () => {
      const page =
        what === "jobs"
          ? await told(api.GET("/api/v1/workspaces/{workspace}/jobs", { params }))
          : await told(api.GET("/api/v1/workspaces/{workspace}/connections", { params }));
      return page.items.length > 0;
    },
  };
}
