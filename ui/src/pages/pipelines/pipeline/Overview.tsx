import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { thatMoved } from "../figures";
import { historyQuery } from "../queries";
import { Expectations } from "./Expectations";
import { LastRun } from "./LastRun";
import { Path } from "./Path";
import type { PartProps } from "./parts";
import { RowsChart } from "./RowsChart";

export function Overview({ pipeline, job, standing, workspace }: PartProps) {
  const { data } = useQuery(historyQuery(workspace, pipeline.job));
  const moved = useMemo(() => data && thatMoved(data), [data]);
  return (
    <Stack gap="md">
      <Path job={job} table={pipeline.table} />
      <LastRun pipeline={pipeline} standing={standing} workspace={workspace} />
      <RowsChart moved={moved} />
      <Expectations moved={moved} />
    </Stack>
  );
}
