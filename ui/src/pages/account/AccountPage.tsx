import { useMe, useWorkspaces } from "@/app/session";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { KeyValue } from "@/parts/KeyValue";
import { LinkButton } from "@/parts/LinkButton";
import { Page } from "@/parts/Page";
import { Section } from "@/parts/Section";
import { ThemeChoice } from "@/parts/ThemeChoice";
import { When } from "@/parts/When";
import { PasswordForm } from "./PasswordForm";
import { accountRoute } from "./routes";

export function AccountPage() {
  const { next } = accountRoute.useSearch();
  const me = useMe();
  const workspaces = useWorkspaces();
  return (
    <Page
      title="Account"
      actions={
        <>
          <LinkButton variant="default" to="/tokens">
            My tokens
          </LinkButton>
          <CopyAs commands={commands("boathouse user show", "print(control.users.me())", curl("/me"))} />
        </>
      }
    >
      <Section title="You">
        <KeyValue
          entries={{
            Name: me.name,
            "Full name": me.display_name || "–",
            "E-mail": me.email ?? "–",
            "Platform admin": me.is_platform_admin ? "yes" : "no",
            "Last login": <When at={me.last_login_at} />,
            Workspaces: workspaces.map((one) => `${one.name} (${one.role})`).join(", ") || "none",
          }}
        />
      </Section>
      <Section title="Password">
        <PasswordForm me={me} next={next} />
      </Section>
      <Section title="Theme">
        <ThemeChoice />
      </Section>
    </Page>
  );
}
