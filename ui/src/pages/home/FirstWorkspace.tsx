import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, told } from "@/api/client";
import { queryClient } from "@/app/queries";
import { useMe, workspacesQuery } from "@/app/session";
import { EmptyState } from "@/parts/EmptyState";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";

/** Where there is no workspace yet that one may see. */
export function FirstWorkspace() {
  const me = useMe();
  if (me.is_platform_admin) return <MakeFirst />;
  return (
    <Page title="Welcome">
      <EmptyState title="You are no member of a workspace yet">
        Ask a platform admin to add <b>{me.name}</b> to one. This page shows it as soon as you load it again.
      </EmptyState>
    </Page>
  );
}

function MakeFirst() {
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: (name: string) => told(api.POST("/api/v1/workspaces", { body: { name, description: "" } })),
    onSuccess: async ({ name }) => {
      await queryClient.invalidateQueries(workspacesQuery);
      await navigate({ to: "/w/$workspace", params: { workspace: name } });
    },
  });
  return (
    <Page title="Welcome to Boathouse">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate(String(new FormData(event.currentTarget).get("name")));
        }}
      >
        <Stack maw={420} gap="sm">
          <Text size="sm">
            Jobs, connections and their runs belong to a workspace: a team, a product, a stage. Make the first
            one.
          </Text>
          <TextInput
            name="name"
            label="Its name"
            description="Small letters, digits and hyphens"
            placeholder="north"
            required
            size="sm"
          />
          {make.error && <ProblemNote problem={make.error} />}
          <Button type="submit" size="sm" loading={make.isPending}>
            Make the workspace
          </Button>
        </Stack>
      </form>
    </Page>
  );
}
