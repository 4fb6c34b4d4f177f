import { Button, Drawer, Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconBookmarks, IconHistory } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMay } from "@/app/session";
import { Page } from "@/parts/Page";
import { DeskView } from "./DeskView";
import { History } from "./kept/History";
import { SavedList } from "./kept/SavedList";
import { MayNotAsk } from "./MayNotAsk";
import { type Panel, sqlRoute } from "./routes";

export function SqlPage() {
  const { workspace } = sqlRoute.useParams();
  const { panel } = sqlRoute.useSearch();
  const may = useMay(workspace, "runner");
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const show = usePanel(workspace);
  if (!may) return <MayNotAsk workspace={workspace} />;
  return (
    <Page
      title="SQL"
      whole={!narrow}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconBookmarks size={14} aria-hidden />}
            onClick={() => show("saved")}
          >
            Saved
          </Button>
          <Button
            variant="default"
            leftSection={<IconHistory size={14} aria-hidden />}
            onClick={() => show("history")}
          >
            History
          </Button>
        </>
      }
    >
      <DeskView key={workspace} workspace={workspace} />
      <History workspace={workspace} opened={panel === "history"} onClose={() => show(undefined)} />
      <Drawer
        opened={panel === "saved"}
        onClose={() => show(undefined)}
        position="right"
        size={760}
        title="Saved queries"
      >
        <Stack gap="sm">
          <SavedList workspace={workspace} />
        </Stack>
      </Drawer>
    </Page>
  );
}

function usePanel(workspace: string) {
  const navigate = useNavigate({ from: "/w/$workspace/sql" });
  return (panel: Panel | undefined) =>
    void navigate({
      to: "/w/$workspace/sql",
      params: { workspace },
      search: (before) => ({ ...before, panel }),
      replace: true,
    });
}
