import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { api, told } from "@/api/client";
import type { User } from "@/api/types";
import { ProblemNote } from "@/parts/ProblemNote";

const EMPTY = { current: "", next: "", again: "" };
const SHOW = { "aria-label": "Show the password" };

/** Another password; whoever is logged in elsewhere as oneself is out then. Goes on to `next`, if it is told. */
export function PasswordForm({ me, next }: { me: User; next?: string }) {
  const router = useRouter();
  const [typed, setTyped] = useState(EMPTY);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      told(api.POST("/api/v1/me/password", { body: { current: typed.current, new: typed.next } })),
    onSuccess: async () => {
      setTyped(EMPTY);
      // All of it: before, a password that somebody else made may have kept everything else closed.
      await queries.invalidateQueries();
      if (next) router.history.push(next);
    },
  });
  if (!me.has_password)
    return (
      <Text size="sm">
        You have none: you come by the identity provider, or by <code>boathouse ui</code>. A platform admin
        can give you one.
      </Text>
    );
  const set = (part: Partial<typeof EMPTY>) => {
    change.reset();
    setTyped((before) => ({ ...before, ...part }));
  };
  const differs = typed.again !== "" && typed.again !== typed.next;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <Stack gap="sm" maw={340}>
        {me.must_change_password && (
          <Text size="sm">
            The one you have was made for you. Set one that only you know; the rest is open to you then.
          </Text>
        )}
        <PasswordInput
          label="Current password"
          size="xs"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={SHOW}
          value={typed.current}
          onChange={(event) => set({ current: event.currentTarget.value })}
        />
        <PasswordInput
          label="New password"
          size="xs"
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={SHOW}
          value={typed.next}
          onChange={(event) => set({ next: event.currentTarget.value })}
        />
        <PasswordInput
          label="New password, again"
          size="xs"
          autoComplete="new-password"
          required
          error={differs && "It is not the same."}
          visibilityToggleButtonProps={SHOW}
          value={typed.again}
          onChange={(event) => set({ again: event.currentTarget.value })}
        />
        {change.error && <ProblemNote problem={change.error} />}
        <Group>
          <Button
            type="submit"
            loading={change.isPending}
            disabled={!typed.current || !typed.next || typed.again !== typed.next}
          >
            Change the password
          </Button>
          {change.isSuccess && (
            <Text size="sm" role="status">
              Changed. Your other sessions are over.
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}
