import { Drawer, Stack, Text } from "@mantine/core";
import { type LinkProps, useNavigate } from "@tanstack/react-router";
import type { AuditEntry } from "@/api/types";
import { useWorkspaces } from "@/app/session";
import { CodeView } from "@/parts/code";
import { KeyValue } from "@/parts/KeyValue";
import { Mark } from "@/parts/Mark";
import { exactly } from "@/parts/times";

/** An entry whole. It is in the address, so that it can be sent to somebody. */
export function EntryDrawer({ entry }: { entry: AuditEntry | undefined }) {
  const navigate = useNavigate();
  const close = () =>
    void navigate({
      to: ".",
      search: ((before: object) => ({ ...before, entry: undefined })) as LinkProps["search"],
      replace: true,
      resetScroll: false,
    });
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={close}
      position="right"
      size="md"
      title={entry ? `Entry ${entry.number}: ${entry.action}` : ""}
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ header: { role: "presentation" } }}
    >
      {entry && <Entry entry={entry} />}
    </Drawer>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const workspace = useWorkspaces().find((one) => one.id === entry.workspace_id)?.name;
  const details = Object.keys(entry.details).length > 0;
  return (
    <Stack gap="md">
      <KeyValue
        entries={{
          Result: <Mark tone={entry.result === "done" ? "good" : "bad"}>{entry.result}</Mark>,
          When: exactly(new Date(entry.at)),
          Who: entry.user_name ?? "nobody who was known",
          From: entry.address || "–",
          "To what": entry.target || "–",
          Workspace: entry.workspace_id
            ? (workspace ?? `one that is gone (${entry.workspace_id})`)
            : undefined,
          "Request id": <span className="mono">{entry.request_id}</span>,
        }}
      />
      <div>
        <Text size="xs" c="dimmed" mb={4}>
          What was given
        </Text>
        {details ? (
          <CodeView label="What was given" language="yaml" value={JSON.stringify(entry.details, null, 2)} />
        ) : (
          <Text size="sm">Nothing more.</Text>
        )}
      </div>
      <KeyValue
        entries={{
          Hash: <span className="mono">{entry.hash}</span>,
          "Hash of the one before": <span className="mono">{entry.previous}</span>,
        }}
      />
    </Stack>
  );
}
