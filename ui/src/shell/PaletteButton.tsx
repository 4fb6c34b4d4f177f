import { ActionIcon, Kbd, UnstyledButton } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import classes from "./WorkspaceSwitcher.module.css";

export function PaletteButton() {
  return (
    <>
      <UnstyledButton className={classes.button} visibleFrom="sm" onClick={spotlight.open}>
        <IconSearch size={15} aria-hidden /> Go to … <Kbd size="xs">Ctrl K</Kbd>
      </UnstyledButton>
      <ActionIcon variant="default" size="lg" hiddenFrom="sm" aria-label="Go to …" onClick={spotlight.open}>
        <IconSearch size={17} aria-hidden />
      </ActionIcon>
    </>
  );
}
