import { Button, Group, Stack, Title } from "@mantine/core";
import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { Problem } from "@/api/problem";
import { useConnection } from "@/app/connection";
import { ProblemNote } from "@/parts/ProblemNote";

/** In place of a page that could not be shown. When the server is back, it tries by itself. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  const connection = useConnection();
  const problem = Problem.of(error);
  const again = () => {
    resetQueries();
    void router.invalidate();
    reset();
  };
  const waits = problem.isAway && connection === "here";
  // biome-ignore lint/correctness/useExhaustiveDependencies: it tries when the connection is back, not when it is drawn.
  useEffect(() => {
    if (waits) again();
  }, [waits]);
  return (
    <Stack p="xl" gap="md" align="flex-start" maw={720}>
      <Title order={1}>This page cannot be shown</Title>
      <ProblemNote problem={problem} />
      <Group>
        <Button onClick={again}>Try again</Button>
        <Button variant="default" component={Link} to="/">
          Go home
        </Button>
      </Group>
    </Stack>
  );
}
