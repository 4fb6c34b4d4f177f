import { Text } from "@mantine/core";
import { IconCircleCheck, IconCircleDashed, IconCircleX } from "@tabler/icons-react";
import type { Tested } from "@/api/types";
import classes from "./TestSteps.module.css";
import { duration } from "./times";

/** A test as it went, step by step: what was found, what is wrong and what to do about it, what was not come to. */
export function TestSteps({ tested, label }: { tested: Tested; label: string }) {
  return (
    <ol className={classes.steps} aria-label={label}>
      {tested.steps.map((step) => (
        <li key={step.name} data-outcome={step.ok ? "ok" : "failed"}>
          {step.ok ? <IconCircleCheck size={18} aria-hidden /> : <IconCircleX size={18} aria-hidden />}
          <div>
            <span className={classes.name}>{capital(step.name)}</span>
            <span className={classes.outcome}>{step.ok ? "ok" : "failed"}</span>
            <Text size="sm" className={classes.message}>
              {step.message}
            </Text>
            {step.hint && (
              <Text size="sm" className={classes.hint}>
                {step.hint}
              </Text>
            )}
          </div>
          <span className={classes.took}>{duration(step.milliseconds)}</span>
        </li>
      ))}
      {tested.skipped?.map((name) => (
        <li key={name} data-outcome="skipped">
          <IconCircleDashed size={18} aria-hidden />
          <div>
            <span className={classes.name}>{capital(name)}</span>
            <span className={classes.outcome}>skipped</span>
          </div>
        </li>
      ))}
    </ol>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
