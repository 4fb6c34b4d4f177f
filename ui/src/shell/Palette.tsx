import { useMantineColorScheme } from "@mantine/core";
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from "@mantine/spotlight";
import { IconFolder, IconLogout, IconMoon, IconSearch, IconSun } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { logOut, useWorkspaces } from "@/app/session";
import { usePaletteFinds } from "./paletteFinds";
import { OWN_PLACES } from "./places";
import { useCurrentWorkspace } from "./useCurrentWorkspace";
import { usePlaces } from "./usePlaces";

/** Ctrl-K: every page, the jobs, the tables and the newest runs, and what one may want to do. */
export function Palette() {
  const workspace = useCurrentWorkspace();
  const places = useGoing(workspace);
  const [opened, setOpened] = useState(false);
  const finds = usePaletteFinds(workspace, opened);
  const actions = useActions();
  const groups: SpotlightActionGroupData[] = [
    { group: "Go to", actions: places },
    ...finds,
    { group: "Do", actions },
  ].filter((one) => one.actions.length > 0);
  return (
    <Spotlight
      actions={groups}
      onSpotlightOpen={() => setOpened(true)}
      onSpotlightClose={() => setOpened(false)}
      shortcut={["mod + K"]}
      // From wherever one is, also while one writes.
      tagsToIgnore={[]}
      triggerOnContentEditable
      limit={30}
      nothingFound="Nothing has such a name."
      highlightQuery
      scrollable
      attributes={{ content: { "aria-label": "Go to" } }}
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={16} aria-hidden />,
        placeholder: "A page, a job, a table, a connection, a run …",
        "aria-label": "Go to",
      }}
    />
  );
}

function useGoing(workspace: string | undefined): SpotlightActionData[] {
  const navigate = useNavigate();
  const places = [...usePlaces(), ...OWN_PLACES];
  return places.map((place) => ({
    id: `place ${place.label}`,
    label: place.label,
    keywords: place.group,
    leftSection: <place.icon size={17} aria-hidden />,
    onClick: () => void navigate({ to: place.to as "/w/$workspace", params: { workspace: workspace ?? "" } }),
  }));
}

function useActions(): SpotlightActionData[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const others = useWorkspaces().map((one) => ({
    id: `workspace ${one.name}`,
    label: `Switch to the workspace ${one.name}`,
    leftSection: <IconFolder size={17} aria-hidden />,
    onClick: () => void navigate({ to: "/w/$workspace", params: { workspace: one.name } }),
  }));
  return [
    ...others,
    {
      id: "light",
      label: "Light theme",
      leftSection: <IconSun size={17} aria-hidden />,
      onClick: () => setColorScheme("light"),
    },
    {
      id: "dark",
      label: "Dark theme",
      leftSection: <IconMoon size={17} aria-hidden />,
      onClick: () => setColorScheme("dark"),
    },
    {
      id: "log out",
      label: "Log out",
      leftSection: <IconLogout size={17} aria-hidden />,
      onClick: () => void logOut().finally(() => navigate({ to: "/login" })),
    },
  ];
}
