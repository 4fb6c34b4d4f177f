import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Section } from "@/parts/Section";
import { groupsQuery } from "./queries";

/** Where groups of the identity provider decide, what is changed by hand does not last: that must be said. */
export function GroupsNote({ workspace }: { workspace: string }) {
  const { data } = useQuery(groupsQuery(workspace));
  if (!data?.decide) return null;
  const told = Object.entries(data.roles).map(([group, role]) => `${group}: ${role}`);
  return (
    <Section title="Groups decide">
      <Text size="sm">
        Who comes by the identity provider has the role of their groups here, set anew at every login (
        {told.join(", ")}). Change groups there; a change made here lasts until they log in again.
      </Text>
    </Section>
  );
}
