import { Text } from "@mantine/core";
import { Problem } from "@/api/problem";
import classes from "./ProblemNote.module.css";

/** What went wrong, and what to do about it. */
export function ProblemNote({ problem }: { problem: unknown }) {
  const { message, hint, requestId } = Problem.of(problem);
  return (
    <div role="alert" className={classes.note}>
      <Text fw={600} size="sm">
        {message}
      </Text>
      {hint && <Text size="sm">{hint}</Text>}
      {requestId && (
        <Text size="xs" mt={4}>
          Request <span className="mono">{requestId}</span>
        </Text>
      )}
    </div>
  );
}
