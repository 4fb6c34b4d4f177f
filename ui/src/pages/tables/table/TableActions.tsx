import { IconTerminal2 } from "@tabler/icons-react";
import type { Dataset } from "@/api/types";
import { useMay } from "@/app/session";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl, quoted } from "@/parts/commands";
import { LinkButton } from "@/parts/LinkButton";
import { selection } from "../sql";

type Props = { dataset: Dataset; workspace: string };

export function TableActions({ dataset, workspace }: Props) {
  const may = useMay(workspace, "runner");
  return (
    <>
      {may && dataset.catalog === "lake" && !dataset.gone_at && (
        <QueryLink workspace={workspace} sql={selection(dataset.name)} />
      )}
      <CopyAs
        commands={commands(
          `boathouse dataset show ${quoted(dataset.name)} --workspace ${workspace}`,
          `print(control.datasets.table("${workspace}", ${JSON.stringify(dataset.name)}))`,
          curl(`/workspaces/${workspace}/datasets/${encodeURIComponent(dataset.name)}/table`),
        )}
      />
    </>
  );
}

/** To the SQL editor, with this in it. */
export function QueryLink({ workspace, sql }: { workspace: string; sql: string }) {
  return (
    <LinkButton
      to={"/w/$workspace/sql" as "/w/$workspace"}
      params={{ workspace }}
      search={{ sql } as never}
      leftSection={<IconTerminal2 size={14} aria-hidden />}
    >
      Query
    </LinkButton>
  );
}
