import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";

export function NotFound() {
  return (
    <Stack p="xl" gap="xs" align="flex-start">
      <Title order={1}>There is nothing at this address</Title>
      <Text c="dimmed">
        It may have been removed, or the address is mistyped. Ctrl-K finds jobs, runs, connections and pages.
      </Text>
      <Anchor component={Link} to="/">
        Go home
      </Anchor>
    </Stack>
  );
}
