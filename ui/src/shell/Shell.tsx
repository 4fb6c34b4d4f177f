import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { Breadcrumbs } from "./Breadcrumbs";
import { ConnectionBanner } from "./ConnectionBanner";
import { Navigation } from "./Navigation";
import { Palette } from "./Palette";
import { PaletteButton } from "./PaletteButton";
import { SessionEnd } from "./SessionEnd";
import classes from "./Shell.module.css";
import { UserMenu } from "./UserMenu";
import { WorkspaceSwitcher } from "./WorkspaceSwitcher";

export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes whenever one has gone somewhere.
  useEffect(close, [path]);
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 208, breakpoint: "sm", collapsed: { mobile: !opened } }}
      withBorder={false}
      transitionDuration={0}
    >
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="sm" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? "Close the navigation" : "Open the navigation"}
            />
            <Link to="/" className={classes.brand}>
              <img src="/icon.svg" alt="" width={22} height={22} />
              <span className={classes.name}>Boathouse</span>
            </Link>
            <WorkspaceSwitcher />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navigation}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <ConnectionBanner />
        <Breadcrumbs />
        <Outlet />
      </AppShell.Main>
      <Palette />
      <SessionEnd />
    </AppShell>
  );
}
