import { Group } from "@mantine/core";
import type { Connection, ConnectionKind } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { RowLink } from "@/parts/list/RowLink";
import { When } from "@/parts/When";
import { addressOf } from "../address";
import { KindIcon } from "../KindIcon";
import { LastTest } from "../LastTest";

export function columns(workspace: string, kinds: readonly ConnectionKind[]): Column<Connection>[] {
  const title = (name: string) => kinds.find((kind) => kind.name === name)?.title ?? name;
  return [
    {
      id: "name",
      title: "Connection",
      width: "minmax(130px, 1.2fr)",
      sortBy: (one) => one.name,
      cell: (one) => (
        <Group gap={8} wrap="nowrap">
          <KindIcon kind={one.kind} />
          <RowLink
            to="/w/$workspace/connections/$connection"
            params={{ workspace, connection: one.name }}
            preload={false}
          >
            {one.name}
          </RowLink>
        </Group>
      ),
    },
    {
      id: "kind",
      title: "Kind",
      width: "150px",
      wide: true,
      sortBy: (one) => title(one.kind),
      cell: (one) => title(one.kind),
    },
    {
      id: "address",
      title: "Leads to",
      width: "minmax(140px, 1.6fr)",
      wide: true,
      cell: (one) => (
        <span className="mono" title={addressOf(one.config)}>
          {addressOf(one.config)}
        </span>
      ),
    },
    {
      id: "test",
      title: "Last test",
      width: "136px",
      sortBy: (one) => one.last_test?.at,
      cell: (one) => <LastTest connection={one} />,
    },
    {
      id: "changed",
      title: "Changed",
      width: "minmax(150px, 0.8fr)",
      wide: true,
      sortBy: (one) => one.updated_at,
      cell: (one) => (
        <>
          <When at={one.updated_at} />
          {one.updated_by && ` by ${one.updated_by}`}
        </>
      ),
    },
  ];
}
