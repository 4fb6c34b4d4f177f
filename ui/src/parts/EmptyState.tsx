import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Nothing is here: why, and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack gap={6} align="center" py={48} px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text size="sm" c="dimmed" maw={460} component="div">
          {children}
        </Text>
      )}
    </Stack>
  );
}
