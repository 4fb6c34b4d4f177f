import { OnlyPlatformAdmins } from "@/parts/OnlyFor";
import { fullAuditRoute } from "../routes";
import { AuditView } from "./AuditView";

export function FullAuditPage() {
  const search = fullAuditRoute.useSearch();
  return (
    <OnlyPlatformAdmins title="Full audit">
      <AuditView title="Full audit" search={search} />
    </OnlyPlatformAdmins>
  );
}
