import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Rule } from "@/api/types";
import { useMay } from "@/app/session";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { RowLink } from "@/parts/list/RowLink";
import { Mark } from "@/parts/Mark";
import { Page } from "@/parts/Page";
import { When } from "@/parts/When";
import { notificationsIndexRoute } from "../routes";
import { rulesQuery } from "./queries";
import { RuleDialog } from "./RuleDialog";

export function NotificationsPage() {
  const { workspace } = notificationsIndexRoute.useParams();
  const { data, error } = useQuery(rulesQuery(workspace));
  const may = useMay(workspace, "editor");
  const [making, make] = useDisclosure(false);
  const list = useMemo(() => columns(workspace), [workspace]);
  return (
    <Page
      title="Notifications"
      about="Who is told of what happens to runs, and by which connection"
      actions={
        <>
          {may && (
            <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={make.open}>
              New notification
            </Button>
          )}
          <CopyAs commands={asCommands(workspace)} />
        </>
      }
    >
      <DataList
        label="Notifications"
        rows={data}
        columns={list}
        rowKey={(rule) => rule.id}
        problem={error}
        expected={4}
        empty={
          <EmptyState title="Nobody is told of anything yet">
            Make a connection of the kind webhook or mail server, then a notification by it: runs that fail
            tell by themselves then.
          </EmptyState>
        }
      />
      {may && <RuleDialog workspace={workspace} opened={making} onClose={make.close} />}
    </Page>
  );
}

function columns(workspace: string): Column<Rule>[] {
  return [
    {
      id: "name",
      title: "Notification",
      width: "minmax(120px, 1fr)",
      sortBy: (rule) => rule.name,
      cell: (rule) => (
        <RowLink
          to="/w/$workspace/notifications/$rule"
          params={{ workspace, rule: rule.name }}
          preload={false}
        >
          {rule.name}
        </RowLink>
      ),
    },
    {
      id: "enabled",
      title: "State",
      width: "84px",
      cell: (rule) => <Mark tone={rule.enabled ? "good" : "plain"}>{rule.enabled ? "on" : "off"}</Mark>,
    },
    {
      id: "connection",
      title: "By",
      width: "minmax(100px, 0.8fr)",
      cell: (rule) => `${rule.connection} (${rule.kind})`,
    },
    {
      id: "events",
      title: "Of",
      width: "minmax(160px, 1.6fr)",
      wide: true,
      cell: (rule) => <span title={rule.events.join(", ")}>{rule.events.join(", ")}</span>,
    },
    {
      id: "jobs",
      title: "Jobs",
      width: "minmax(80px, 0.8fr)",
      wide: true,
      cell: (rule) => rule.jobs.join(", ") || "all",
    },
    {
      id: "changed",
      title: "Changed",
      width: "96px",
      wide: true,
      sortBy: (rule) => rule.updated_at,
      cell: (rule) => <When at={rule.updated_at} />,
    },
  ];
}

function asCommands(workspace: string) {
  return commands(
    `boathouse notification list --workspace ${workspace}`,
    `print([one.name for one in control.notifications.all("${workspace}")])`,
    curl(`/workspaces/${workspace}/notifications`),
  );
}
