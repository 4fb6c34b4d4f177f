import { Button, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconSend, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Rule } from "@/api/types";
import { useMay } from "@/app/session";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { KeyValue } from "@/parts/KeyValue";
import { Mark } from "@/parts/Mark";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { TestSteps } from "@/parts/TestSteps";
import { When } from "@/parts/When";
import { notificationRoute } from "../routes";
import { Deliveries } from "./Deliveries";
import { ruleQuery, useChangeRule, useRemoveRule, useTestRule } from "./queries";
import { RuleDialog } from "./RuleDialog";

export function NotificationPage() {
  const { workspace, rule: name } = notificationRoute.useParams();
  const { data: rule, error } = useQuery(ruleQuery(workspace, name));
  const test = useTestRule(workspace, name);
  if (!rule)
    return <Page title={name}>{error ? <ProblemNote problem={error} /> : <Skeleton height={320} />}</Page>;
  return (
    <Page
      title={name}
      beside={<Mark tone={rule.enabled ? "good" : "plain"}>{rule.enabled ? "on" : "off"}</Mark>}
      about={rule.description || undefined}
      actions={<Actions rule={rule} workspace={workspace} test={test} />}
    >
      {test.error && <ProblemNote problem={test.error} />}
      {(test.isPending || test.data) && (
        <Section title="Test">
          {test.data ? (
            <TestSteps tested={test.data} label="Test" />
          ) : (
            <Text size="sm" c="dimmed" role="status">
              Sending one, step by step …
            </Text>
          )}
        </Section>
      )}
      <Section title="Who is told what">
        <KeyValue
          entries={{
            By: (
              <Link
                to="/w/$workspace/connections/$connection"
                params={{ workspace, connection: rule.connection }}
              >
                {rule.connection}
              </Link>
            ),
            To: rule.recipients.length > 0 ? rule.recipients.join(", ") : undefined,
            Of: rule.events.join(", "),
            Jobs: rule.jobs.join(", ") || "all of them",
            Changed: <When at={rule.updated_at} />,
          }}
        />
      </Section>
      <Section title="Deliveries" flush>
        <Deliveries workspace={workspace} rule={name} />
      </Section>
    </Page>
  );
}

type Props = { rule: Rule; workspace: string; test: ReturnType<typeof useTestRule> };

function Actions({ rule, workspace, test }: Props) {
  const may = useMay(workspace, "editor");
  const [editing, edit] = useDisclosure(false);
  const [asking, ask] = useDisclosure(false);
  const change = useChangeRule(workspace, rule.name);
  const remove = useRemoveRule(workspace, rule.name);
  if (!may) return <CopyAs commands={asCommands(workspace, rule.name)} />;
  return (
    <>
      <Button
        leftSection={<IconSend size={14} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        Send a test
      </Button>
      <Button
        variant="default"
        loading={change.isPending}
        onClick={() => change.mutate({ enabled: !rule.enabled })}
      >
        {rule.enabled ? "Turn off" : "Turn on"}
      </Button>
      <Button variant="default" leftSection={<IconPencil size={14} aria-hidden />} onClick={edit.open}>
        Edit
      </Button>
      <CopyAs commands={asCommands(workspace, rule.name)} />
      <Button variant="default" leftSection={<IconTrash size={14} aria-hidden />} onClick={ask.open}>
        Delete
      </Button>
      <RuleDialog
        key={rule.updated_at}
        workspace={workspace}
        rule={rule}
        opened={editing}
        onClose={edit.close}
      />
      <ConfirmDialog
        opened={asking}
        title={`Delete ${rule.name}?`}
        confirm="Delete it"
        dangerous
        busy={remove.isPending}
        problem={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={ask.close}
      >
        Nobody is told by it any more, and the list of what it sent is gone.
      </ConfirmDialog>
    </>
  );
}

function asCommands(workspace: string, name: string) {
  return commands(
    `boathouse notification deliveries ${name} --workspace ${workspace}`,
    `print(list(control.notifications.deliveries("${workspace}", "${name}")))`,
    curl(`/workspaces/${workspace}/notifications/${name}/deliveries`),
  );
}
