import type { Connection } from "@/api/types";
import { Mark } from "@/parts/Mark";
import { When } from "@/parts/When";

/** How the last test went, if there was one since the connection was changed. */
export function LastTest({ connection }: { connection: Connection }) {
  const { last_test: last } = connection;
  if (!last) return <span>not tested</span>;
  const failed = last.steps.find((step) => !step.ok);
  return (
    <Mark tone={last.ok ? "good" : "bad"} title={failed?.message}>
      {last.ok ? "ok" : "failed"} <When at={last.at} />
    </Mark>
  );
}
