import { Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./ToldOnce.module.css";

type Props = { label: string; secret: string; children?: ReactNode };

/** A secret that the server tells this once: to be copied, and how it is used. */
export function ToldOnce({ label, secret, children }: Props) {
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">
        <b>{label}</b> is told this once. Copy it now: nobody can look it up later.
      </Text>
      <Group gap="xs" wrap="nowrap" className={classes.frame}>
        <code className={classes.secret} data-testid="told-once">
          {secret}
        </code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            >
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
      </Group>
      {children}
    </Stack>
  );
}
