import { Button, Group, Loader, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMay } from "@/app/session";
import { RunResult } from "@/pages/runs/result/RunResult";
import { EmptyState } from "@/parts/EmptyState";
import { ProblemNote } from "@/parts/ProblemNote";
import { previewQuery } from "../preview";
import { tableRoute } from "../routes";
import { selection } from "../sql";
import { QueryLink } from "./TableActions";
import type { PartProps } from "./TablePage";

/** The first rows, as of now or of a snapshot. */
export function Data({ dataset, workspace }: PartProps) {
  const { snapshot } = tableRoute.useSearch();
  const may = useMay(workspace, "runner");
  if (!may)
    return (
      <EmptyState title="Reading rows takes the role runner">
        You are a viewer in {workspace}: you see what the table is like, not what is in it. Ask an admin of
        the workspace.
      </EmptyState>
    );
  if (dataset.catalog !== "lake")
    return (
      <EmptyState title="Its rows cannot be shown here">
        Only tables of the lakehouse's own catalog are read by its Spark.
      </EmptyState>
    );
  return <Preview name={dataset.name} workspace={workspace} snapshot={snapshot} />;
}

type PreviewProps = { name: string; workspace: string; snapshot: string | undefined };

function Preview({ name, workspace, snapshot }: PreviewProps) {
  const preview = useQuery(previewQuery(workspace, name, snapshot));
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {snapshot ? (
            <>
              As of the snapshot <span className="mono">{snapshot}</span>.{" "}
              <Link to="." search={{ tab: "data" } as never}>
                See it as it is now
              </Link>
            </>
          ) : (
            "The first 100 rows that Spark finds."
          )}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={preview.isFetching}
            onClick={() => void preview.refetch()}
          >
            Read again
          </Button>
          {snapshot && <QueryLink workspace={workspace} sql={selection(name, snapshot)} />}
        </Group>
      </Group>
      {preview.isPending && <Reading />}
      {preview.error && !preview.data && <ProblemNote problem={preview.error} />}
      {preview.data && <RunResult workspace={workspace} run={preview.data} tall />}
    </>
  );
}

function Reading() {
  return (
    <Group gap="sm" py={48} justify="center" aria-busy>
      <Loader size="sm" />
      <Text size="sm">Spark reads the first rows. This takes a few seconds.</Text>
    </Group>
  );
}
