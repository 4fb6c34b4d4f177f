import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useMay } from "@/app/session";
import { LinkButton } from "./LinkButton";

type Props = {
  workspace: string;
  to: "/w/$workspace/new-job" | "/w/$workspace/new-connection";
  kind?: string;
  children: ReactNode;
};

/** Leads to where one more is made, for those who may make it. */
export function NewButton({ workspace, to, kind, children }: Props) {
  if (!useMay(workspace, "editor")) return null;
  return (
    <LinkButton
      to={to}
      params={{ workspace }}
      search={{ kind }}
      leftSection={<IconPlus size={14} aria-hidden />}
    >
      {children}
    </LinkButton>
  );
}
