import { Center, Loader, Text } from "@mantine/core";

/** Before anything is known, even who is there. */
export function Loading() {
  return (
    <Center component="main" h="100dvh" role="status">
      <Loader size="sm" mr="sm" aria-hidden />
      <Text size="sm">Loading Boathouse</Text>
    </Center>
  );
}
