import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMay, useMe, workspacesQuery } from "@/app/session";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { Page } from "@/parts/Page";
import { settingsRoute } from "../routes";
import { DeleteWorkspace } from "./DeleteWorkspace";
import { SettingsForm } from "./SettingsForm";

export function SettingsPage() {
  const { workspace: name } = settingsRoute.useParams();
  const { data } = useQuery(workspacesQuery);
  const workspace = data?.find((one) => one.name === name);
  const may = useMay(name, "admin");
  const me = useMe();
  return (
    <Page
      title="Settings"
      about={`Of the workspace ${name}`}
      actions={<CopyAs commands={asCommands(name)} />}
    >
      {workspace ? (
        <SettingsForm key={workspace.id} workspace={workspace} may={may} mayQuotas={me.is_platform_admin} />
      ) : (
        <Skeleton height={320} />
      )}
      {me.is_platform_admin && <DeleteWorkspace name={name} />}
    </Page>
  );
}

function asCommands(name: string) {
  return commands(
    `boathouse workspace show ${name}`,
    `print(control.workspaces.get("${name}"))`,
    curl(`/workspaces/${name}`),
  );
}
