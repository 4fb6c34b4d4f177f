import { SimpleGrid } from "@mantine/core";
import { Page } from "@/parts/Page";
import { FirstSteps } from "./FirstSteps";
import { RunsInShort } from "./RunsInShort";
import { homeRoute } from "./routes";
import { Services } from "./Services";
import { TablesInNeed } from "./TablesInNeed";

export function HomePage() {
  const { workspace } = homeRoute.useParams();
  return (
    <Page title={workspace} about="What runs, what went wrong, and whether all is well.">
      <FirstSteps workspace={workspace} />
      <Services />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" verticalSpacing="md">
        <RunsInShort
          workspace={workspace}
          title="Under way"
          states={["pending", "starting", "running"]}
          none="Nothing runs at the moment."
        />
        <RunsInShort
          workspace={workspace}
          title="Went wrong lately"
          states={["failed", "timed-out"]}
          within="7d"
          none="Nothing has failed in the last seven days."
        />
        <RunsInShort
          workspace={workspace}
          title="Done lately"
          states={["succeeded"]}
          none="Nothing is done yet."
        />
        <TablesInNeed workspace={workspace} />
      </SimpleGrid>
    </Page>
  );
}
