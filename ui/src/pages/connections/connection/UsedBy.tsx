import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { jobsQuery } from "@/pages/jobs/queries";
import { rulesQuery } from "@/pages/workspace/notifications/queries";
import { Section } from "@/parts/Section";
import { names } from "./usage";

/** Which jobs and notifications would miss it. */
export function UsedBy({ workspace, connection }: { workspace: string; connection: string }) {
  const { data: jobs } = useQuery(jobsQuery(workspace));
  const { data: rules } = useQuery(rulesQuery(workspace));
  const using = jobs?.filter((job) => names(job.definition.spec, connection)) ?? [];
  const telling = rules?.filter((rule) => rule.connection === connection) ?? [];
  const known = jobs !== undefined && rules !== undefined;
  return (
    <Section title="Used by">
      {known && using.length + telling.length === 0 && (
        <Text size="sm" c="dimmed">
          No job names it, and no notification is sent by it.
        </Text>
      )}
      <Group gap="sm">
        {using.map((job) => (
          <Link key={job.id} to="/w/$workspace/jobs/$job" params={{ workspace, job: job.name }}>
            job {job.name}
          </Link>
        ))}
        {telling.map((rule) => (
          <Link key={rule.id} to="/w/$workspace/notifications/$rule" params={{ workspace, rule: rule.name }}>
            notification {rule.name}
          </Link>
        ))}
      </Group>
    </Section>
  );
}
