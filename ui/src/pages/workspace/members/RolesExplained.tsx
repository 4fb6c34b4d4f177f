import { KeyValue } from "@/parts/KeyValue";
import { ROLE_MAY } from "@/parts/roles";

export function RolesExplained() {
  return <KeyValue entries={ROLE_MAY} />;
}
