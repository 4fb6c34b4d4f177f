import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { stringify } from "yaml";
import { CodeView } from "@/parts/code";
import type { PartProps } from "./parts";

/** As `boathouse pipeline run` takes it. It is changed where the job is. */
export function Spec({ job, workspace }: PartProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        Version {job.version} of{" "}
        <Link to="/w/$workspace/jobs/$job" params={{ workspace, job: job.name }}>
          the job {job.name}
        </Link>
        , where it is edited, and where its schedule and its older versions are.
      </Text>
      <CodeView
        label={`Spec of ${job.name}`}
        language="yaml"
        value={stringify(job.definition.spec.pipeline, { lineWidth: 0 })}
      />
    </>
  );
}
