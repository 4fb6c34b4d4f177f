import { Text } from "@mantine/core";
import { useWorkspaces } from "@/app/session";
import { Page } from "@/parts/Page";
import { Section } from "@/parts/Section";
import { SavedList } from "./kept/SavedList";

/** For who may look but not ask: what is missing, who gives it, and what can be read all the same. */
export function MayNotAsk({ workspace }: { workspace: string }) {
  const role = useWorkspaces().find((one) => one.name === workspace)?.role;
  return (
    <Page title="SQL">
      <Section title="You may not ask questions here">
        <Text size="sm">
          Asking takes the role runner in {workspace}, and you are {role}. An admin of the workspace can give
          it to you.
        </Text>
      </Section>
      <SavedList workspace={workspace} />
    </Page>
  );
}
