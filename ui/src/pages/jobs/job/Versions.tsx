import { Button, Group, Select, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Job, Version } from "@/api/types";
import { useMay } from "@/app/session";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { CodeView, DiffView } from "@/parts/code";
import { ProblemNote } from "@/parts/ProblemNote";
import { When } from "@/parts/When";
import { toYaml } from "../definition";
import { versionsQuery } from "../queries";
import { jobIndexRoute } from "../routes";
import { useRollBack } from "./changes";

/** What changed from one version to another, and the way back. */
export function Versions({ job, workspace }: { job: Job; workspace: string }) {
  const { data: versions, error } = useQuery(versionsQuery(workspace, job.name));
  const search = jobIndexRoute.useSearch();
  if (!versions) return error ? <ProblemNote problem={error} /> : <Skeleton height={300} />;
  const to = search.to ?? job.version;
  const from = search.from ?? Math.max(1, to - 1);
  const find = (number: number) => versions.find((one) => one.number === number);
  const [before, after] = [find(from), find(to)];
  return (
    <Stack gap="sm">
      <Group gap="xs" align="flex-end">
        <VersionChoice
          label="From"
          versions={versions}
          value={from}
          field="from"
          workspace={workspace}
          job={job.name}
        />
        <VersionChoice
          label="To"
          versions={versions}
          value={to}
          field="to"
          workspace={workspace}
          job={job.name}
        />
        {after && after.number !== job.version && (
          <RollBack job={job} workspace={workspace} version={after.number} />
        )}
      </Group>
      {after && (
        <Text size="sm" c="dimmed">
          Version {after.number}, by {after.made_by} <When at={after.made_at} />
        </Text>
      )}
      {before && after && <Compared name={job.name} before={before} after={after} />}
    </Stack>
  );
}

function Compared({ name, before, after }: { name: string; before: Version; after: Version }) {
  const [old, current] = [before, after].map(({ definition }) => toYaml({ name, definition })) as [
    string,
    string,
  ];
  if (before.number === after.number)
    return <CodeView label={`Version ${after.number}`} language="yaml" value={current} />;
  return (
    <DiffView
      label={`Changes from version ${before.number} to ${after.number}`}
      language="yaml"
      before={old}
      after={current}
    />
  );
}

type ChoiceProps = {
  label: string;
  versions: Version[];
  value: number;
  field: "from" | "to";
  workspace: string;
  job: string;
};

function VersionChoice({ label, versions, value, field, workspace, job }: ChoiceProps) {
  const navigate = useNavigate();
  const search = jobIndexRoute.useSearch();
  return (
    <Select
      label={label}
      allowDeselect={false}
      w={190}
      data={versions.map((one) => ({ value: String(one.number), label: `${one.number} · ${one.made_by}` }))}
      value={String(value)}
      onChange={(chosen) =>
        navigate({
          to: "/w/$workspace/jobs/$job",
          params: { workspace, job },
          search: { ...search, [field]: Number(chosen) },
          replace: true,
        })
      }
    />
  );
}

function RollBack({ job, workspace, version }: { job: Job; workspace: string; version: number }) {
  const [opened, { open, close }] = useDisclosure(false);
  const back = useRollBack(workspace, job.name, version);
  const navigate = useNavigate();
  const done = () => {
    close();
    void navigate({
      to: "/w/$workspace/jobs/$job",
      params: { workspace, job: job.name },
      search: { tab: "versions" },
    });
  };
  if (!useMay(workspace, "editor")) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        Roll back to version {version}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={`Roll back to version ${version}?`}
        confirm="Roll back"
        busy={back.isPending}
        problem={back.error}
        onConfirm={() => back.mutate(undefined, { onSuccess: done })}
        onClose={close}
      >
        It comes back as version {job.version + 1}, so that the history stays as it was. Runs under way are
        not touched.
      </ConfirmDialog>
    </>
  );
}
