import { AuditView } from "@/pages/admin/audit/AuditView";
import { OnlyFor } from "@/parts/OnlyFor";
import { workspaceAuditRoute } from "./routes";

export function WorkspaceAuditPage() {
  const { workspace } = workspaceAuditRoute.useParams();
  const search = workspaceAuditRoute.useSearch();
  return (
    <OnlyFor title="Audit" workspace={workspace} least="admin">
      <AuditView title="Audit" workspace={workspace} search={search} />
    </OnlyFor>
  );
}
