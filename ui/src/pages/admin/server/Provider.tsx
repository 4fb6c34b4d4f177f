import type { Installation } from "@/api/types";
import { KeyValue } from "@/parts/KeyValue";

/** How people come by the identity provider. */
export function Provider({ provider }: { provider: NonNullable<Installation["oidc"]> }) {
  const workspaces = Object.entries(provider.workspaces).map(
    ([name, roles]) =>
      `${name} (${Object.entries(roles)
        .map(([group, role]) => `${group}: ${role}`)
        .join(", ")})`,
  );
  return (
    <KeyValue
      entries={{
        "Identity provider": <span className="mono">{provider.issuer}</span>,
        "On the button": provider.label,
        Client: provider.client_id,
        "Browsers come to": <span className="mono">{provider.public_url}</span>,
        "Who may come in": provider.allowed_groups.join(", ") || "everybody it lets in",
        "Platform admins": provider.admin_groups.join(", ") || "not decided by groups",
        "Workspaces by groups": workspaces.join("; ") || "none",
        "Passwords too": provider.passwords ? "yes" : "no",
      }}
    />
  );
}
