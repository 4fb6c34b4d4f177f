import type { ComponentType } from "react";
import type { Job, Pipeline, Standing } from "@/api/types";
import { Rejects } from "../rejects/Rejects";
import { Live } from "../stream/Live";
import { StreamRuns } from "../stream/StreamRuns";
import { Overview } from "./Overview";
import { Runs } from "./Runs";
import { Spec } from "./Spec";

export type PartProps = { pipeline: Pipeline; job: Job; standing: Standing | undefined; workspace: string };

/** A tab of a pipeline's page. What a pipeline has to show depends on what it is: each kind brings its own list. */
export type Part = {
  value: string;
  label: string;
  body: ComponentType<PartProps>;
  /** Whether it ends with the window and scrolls within. */
  whole?: boolean;
  count?: (standing: Standing) => number;
};

const FILES: readonly Part[] = [
  { value: "overview", label: "Overview", body: Overview },
  { value: "runs", label: "Runs", body: Runs, whole: true },
  { value: "rejects", label: "Rejects", body: Rejects, whole: true, count: ({ open }) => open },
  { value: "spec", label: "Spec", body: Spec },
];

const STREAM: readonly Part[] = [
  { value: "live", label: "Live", body: Live },
  { value: "runs", label: "Runs", body: StreamRuns, whole: true },
  { value: "rejects", label: "Rejects", body: Rejects, whole: true, count: ({ open }) => open },
  { value: "spec", label: "Spec", body: Spec },
];

const KINDS: Record<string, readonly Part[]> = { pipeline: FILES, stream: STREAM };

export function partsOf(job: Job): readonly Part[] {
  return KINDS[job.definition.kind] ?? FILES;
}
