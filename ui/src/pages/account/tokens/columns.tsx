import { Button } from "@mantine/core";
import type { Token, Workspace } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { Mark } from "@/parts/Mark";
import { When } from "@/parts/When";

export function columns(workspaces: readonly Workspace[], onRevoke: (token: Token) => void): Column<Token>[] {
  const opens = (token: Token) =>
    token.workspace_id
      ? (workspaces.find((one) => one.id === token.workspace_id)?.name ?? "one that is gone")
      : "all of yours";
  return [
    {
      id: "name",
      title: "Token",
      width: "minmax(100px, 1.2fr)",
      sortBy: (token) => token.name,
      cell: (token) => <span title={token.name}>{token.name}</span>,
    },
    { id: "role", title: "Role", width: "72px", sortBy: (token) => token.role, cell: (token) => token.role },
    { id: "workspace", title: "Opens", width: "minmax(90px, 1fr)", wide: true, cell: opens },
    {
      id: "until",
      title: "Last day",
      width: "112px",
      wide: true,
      sortBy: (token) => token.expires_at,
      cell: (token) => <LastDay at={token.expires_at} />,
    },
    {
      id: "used",
      title: "Last use",
      width: "100px",
      wide: true,
      sortBy: (token) => token.last_used_at,
      cell: (token) => <When at={token.last_used_at} />,
    },
    {
      id: "made",
      title: "Made",
      width: "100px",
      wide: true,
      cell: (token) => <When at={token.created_at} />,
    },
    {
      id: "revoke",
      title: "Revoke",
      unseen: true,
      width: "84px",
      align: "right",
      cell: (token) => (
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`Revoke ${token.name}`}
          onClick={() => onRevoke(token)}
        >
          Revoke
        </Button>
      ),
    },
  ];
}

function LastDay({ at }: { at: string }) {
  if (Date.parse(at) < Date.now()) return <Mark tone="bad">expired</Mark>;
  return <When at={at} />;
}
