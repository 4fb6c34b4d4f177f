import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Connection, ConnectionKind } from "@/api/types";
import { useMay } from "@/app/session";
import { KeyValue } from "@/parts/KeyValue";
import { Mark } from "@/parts/Mark";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { TestSteps } from "@/parts/TestSteps";
import { When } from "@/parts/When";
import { useTest } from "../changes";
import { labelOf } from "../editor/fields";
import { connectionKindsQuery, connectionQuery } from "../queries";
import { connectionIndexRoute } from "../routes";
import { ConnectionActions } from "./ConnectionActions";
import { KeptSecret } from "./KeptSecret";
import { UsedBy } from "./UsedBy";

export function ConnectionPage() {
  const { workspace, connection: name } = connectionIndexRoute.useParams();
  const { data: connection, error } = useQuery(connectionQuery(workspace, name));
  const { data: kinds } = useQuery(connectionKindsQuery);
  const test = useTest(workspace, name);
  if (!connection || !kinds)
    return <Page title={name}>{error ? <ProblemNote problem={error} /> : <Skeleton height={320} />}</Page>;
  const kind = kinds.find((one) => one.name === connection.kind);
  return (
    <Page
      title={name}
      beside={<Mark>{kind?.title ?? connection.kind}</Mark>}
      about={connection.description || undefined}
      actions={<ConnectionActions connection={connection} workspace={workspace} test={test} />}
    >
      <LastTestSection
        connection={connection}
        workspace={workspace}
        busy={test.isPending}
        problem={test.error}
      />
      <Section title="How it is reached">
        <KeyValue entries={shownConfig(connection)} />
      </Section>
      <Section title="Secrets">
        <Secrets connection={connection} kind={kind} />
      </Section>
      <UsedBy workspace={workspace} connection={name} />
    </Page>
  );
}

type LastTestProps = { connection: Connection; workspace: string; busy: boolean; problem: unknown };

function LastTestSection({ connection, workspace, busy, problem }: LastTestProps) {
  const may = useMay(workspace, "editor");
  const last = connection.last_test;
  return (
    <Section
      title="Last test"
      actions={
        last && (
          <Text size="xs" c="dimmed">
            <When at={last.at} /> by {last.by}
          </Text>
        )
      }
    >
      {problem ? <ProblemNote problem={problem} /> : null}
      {busy && (
        <Text size="sm" c="dimmed" role="status">
          Connecting, step by step …
        </Text>
      )}
      {!busy && last && <TestSteps tested={last} label="Last test" />}
      {!busy && !last && (
        <Text size="sm" c="dimmed">
          Not tested since it was made or changed. {may && "Test shows how far it comes, step by step."}
        </Text>
      )}
    </Section>
  );
}

function Secrets({ connection, kind }: { connection: Connection; kind: ConnectionKind | undefined }) {
  const names = Object.keys(kind?.secrets ?? connection.secrets);
  if (names.length === 0)
    return (
      <Text size="sm" c="dimmed">
        It needs none.
      </Text>
    );
  const entries = names.map((name) => [
    labelOf(name),
    <KeptSecret key={name} kept={connection.secrets[name]} />,
  ]);
  return <KeyValue entries={Object.fromEntries(entries)} />;
}

function shownConfig({ config }: Connection) {
  const entries = Object.entries(config).filter(([, value]) => value !== null && value !== "");
  return Object.fromEntries(
    entries.map(([name, value]) => [labelOf(name), <ConfigValue key={name} value={value} />]),
  );
}

function ConfigValue({ value }: { value: unknown }) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return <span className="mono">{value.join(", ")}</span>;
  const text = String(value);
  if (text.includes("\n")) return `${text.split("\n").length} lines`;
  return <span className="mono">{text}</span>;
}
