import { Text } from "@mantine/core";
import { useEffect } from "react";
import { Problem } from "@/api/problem";
import { useConnection } from "@/app/connection";
import classes from "./ProblemNote.module.css";
import { Words } from "./Words";

type Props = {
  problem: unknown;
  /** Fields that tell their problem themselves: what is told there is not told twice. */
  told?: readonly string[];
};

/** What went wrong, and what to do about it. */
export function ProblemNote({ problem, told = [] }: Props) {
  const { message, hint, requestId, fields, isNotKnown } = Problem.of(problem);
  const isBack = useConnection() === "here";
  const wrong = Object.keys(fields);
  const isToldThere = wrong.length > 0 && wrong.every((field) => told.includes(field));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal leads there anew, also the same one again.
  useEffect(() => {
    // In a long form the field may be out of sight.
    if (isToldThere) document.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [isToldThere, requestId]);
  if (isToldThere) return null;
  if (isNotKnown && isBack)
    return (
      <Text size="sm" role="status">
        The control plane is back. Look whether it was done, before you try again.
      </Text>
    );
  return (
    <div role="alert" className={classes.note}>
      <Text fw={600} size="sm">
        <Words>{message}</Words>
      </Text>
      {hint && (
        <Text size="sm">
          <Words>{hint}</Words>
        </Text>
      )}
      {requestId && (
        <Text size="xs" mt={4}>
          Request <span className="mono">{requestId}</span>
        </Text>
      )}
    </div>
  );
}
