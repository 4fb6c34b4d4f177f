import { IconArrowDown, IconArrowRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Job } from "@/api/types";
import { Section } from "@/parts/Section";
import { type Check, outline } from "../spec";
import classes from "./Path.module.css";

const MODES: Record<string, string> = {
  append: "Rows are added.",
  overwrite_partitions: "Partitions for which there are new rows are replaced.",
  merge: "Rows replace those with the same key.",
};
const OTHERWISE: Record<string, string> = {
  quarantine: "kept as reject",
  drop: "dropped",
  fail: "stops the load",
};

/** Where rows come from, what they must be like, and where they go. */
export function Path({ job, table }: { job: Job; table: string | null }) {
  const { from, columns, derived, checks, into } = outline(
    (job.definition.spec.pipeline ?? {}) as Record<string, unknown>,
  );
  return (
    <Section title="The way of a row">
      <div className={classes.path}>
        <Step title={`From ${from.format} files`}>
          {from.paths.map((path) => (
            <div key={path} className={`mono ${classes.address}`}>
              {path}
            </div>
          ))}
          <p>{columns === undefined ? "Columns as the files have them" : `${columns} columns`}</p>
          {derived.length > 0 && <p>Computed: {derived.join(", ")}</p>}
        </Step>
        <Arrow />
        <Step title="Checked">
          <ul className={classes.checks}>
            {checks.map((check) => (
              <CheckLine key={check.name} check={check} />
            ))}
          </ul>
        </Step>
        <Arrow />
        <Step title="Into a table">
          <div className={`mono ${classes.address}`}>{table ?? into.table}</div>
          <p>
            {MODES[into.mode] ?? into.mode} {into.keys.length > 0 && `Key: ${into.keys.join(", ")}.`}
          </p>
          {into.partitions.length > 0 && <p>Partitioned by {into.partitions.join(", ")}</p>}
        </Step>
      </div>
    </Section>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.step}>
      <h3 className={classes.title}>{title}</h3>
      {children}
    </div>
  );
}

function CheckLine({ check: { name, otherwise } }: { check: Check }) {
  return (
    <li>
      <span className="mono">{name}</span>
      <span className={classes.otherwise} data-action={otherwise}>
        else {OTHERWISE[otherwise] ?? otherwise}
      </span>
    </li>
  );
}

function Arrow() {
  return (
    <span className={classes.arrow} aria-hidden>
      <IconArrowRight size={18} className={classes.right} />
      <IconArrowDown size={18} className={classes.down} />
    </span>
  );
}
