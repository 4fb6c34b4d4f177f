import { Button, Group } from "@mantine/core";
import type { RunInFull } from "@/api/types";
import { LinkButton } from "@/parts/LinkButton";
import type { Place } from "../editor/errorPlace";
import classes from "./Outcome.module.css";

type Props = { workspace: string; run: RunInFull; place: Place | undefined; onGoTo: (place: Place) => void };

const SAID: Partial<Record<RunInFull["state"], string>> = {
  cancelled: "It was cancelled. What it has written so far stays.",
  "timed-out": "It took too long, and was ended.",
};

/** Why there is no answer, and where in the text that lies. */
export function Failure({ workspace, run, place, onGoTo }: Props) {
  const failed = run.state === "failed";
  return (
    <div role="alert" className={`${classes.frame} ${failed ? classes.failure : ""}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long one scrolls, and must be reached by the keyboard. */}
      <pre className={classes.text} tabIndex={0}>
        {failed ? run.error : (SAID[run.state] ?? run.error)}
      </pre>
      <Group gap="xs">
        {place && (
          <Button variant="default" onClick={() => onGoTo(place)}>
            Go to line {place.line}
          </Button>
        )}
        <LinkButton
          variant="default"
          to="/w/$workspace/runs/$run"
          params={{ workspace, run: run.id }}
          search={{ tab: "log" }}
        >
          See the log
        </LinkButton>
      </Group>
    </div>
  );
}
