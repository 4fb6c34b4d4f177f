import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Run, State } from "@/api/types";
import { said, startedBy } from "@/pages/runs/list/columns";
import { liveQuery } from "@/pages/runs/queries";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { StateBadge } from "@/parts/StateBadge";
import { STATES } from "@/parts/states";
import { Duration, When } from "@/parts/When";
import classes from "./RunsInShort.module.css";

const MOST = 4;

type Props = {
  workspace: string;
  title: string;
  states: State[];
  within?: string;
  job?: string;
  none: string;
};

/** The newest few runs in some states, as they come and go. */
export function RunsInShort({ workspace, title, states, within, job, none }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list of words is the same if its words are.
  const filter = useMemo(() => ({ state: states, within, job }), [states.join(), within, job]);
  const { data, error } = useQuery(liveQuery(workspace, filter, MOST));
  const all = (
    <Link
      to="/w/$workspace/runs"
      params={{ workspace }}
      search={{ state: states.length < STATES.length ? states.join(",") : undefined, within, job }}
      className={classes.all}
      aria-label={`${title}: all`}
    >
      All
    </Link>
  );
  return (
    <Section title={title} actions={all} flush>
      <div className={classes.list}>
        {error && !data && <ProblemNote problem={error} />}
        {!data && !error && <Skeleton height={44} m={12} width="auto" />}
        {data?.length === 0 && (
          <Text size="sm" c="dimmed" p={14}>
            {none}
          </Text>
        )}
        {data?.map((run) => (
          <RunInShort key={run.id} run={run} workspace={workspace} />
        ))}
      </div>
    </Section>
  );
}

function RunInShort({ run, workspace }: { run: Run; workspace: string }) {
  return (
    <Link
      to="/w/$workspace/runs/$run"
      params={{ workspace, run: run.id }}
      className={classes.run}
      preload={false}
    >
      <span className={classes.first}>
        <b className={classes.job}>{run.job}</b>
        <StateBadge state={run.state} />
      </span>
      <span className={classes.second}>
        <span className={classes.said}>{said(run) || `started by ${startedBy(run)}`}</span>
        <span>
          <When at={run.created_at} /> · <Duration from={run.started_at} to={run.ended_at} />
        </span>
      </span>
    </Link>
  );
}
