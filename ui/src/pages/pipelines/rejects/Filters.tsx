import { Button, Group, SegmentedControl, Select } from "@mantine/core";
import type { RejectsCounted } from "@/api/types";
import { count } from "../figures";
import type { RejectFilter } from "../queries";
import { REJECT_STATES, type RejectState } from "../routes";
import { useSearch } from "./changes";
import { name } from "./place";

type Props = {
  workspace: string;
  job: string;
  ofStream: boolean;
  filter: RejectFilter;
  counts: RejectsCounted | undefined;
};

export function Filters({ workspace, job, ofStream, filter, counts }: Props) {
  const goTo = useSearch(workspace, job);
  const nothing = { reason: undefined, load: undefined, file: undefined };
  const states = REJECT_STATES.map((state) => ({
    value: state,
    label: counts ? `${state} ${count(counts.states[state] ?? 0)}` : state,
  }));
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label="State"
        size="xs"
        data={states}
        value={filter.state}
        onChange={(state) => void goTo({ ...nothing, state: state as RejectState, row: undefined })}
      />
      <Counted
        label={ofStream ? "Topic" : "File"}
        none={ofStream ? "Any topic" : "Any file"}
        // Room for most topics, which have their database's and their table's name in theirs.
        width={ofStream ? 280 : 190}
        value={filter.file}
        values={counts?.files}
        short={(file) => name({ file, line: null })}
        onChange={(file) => void goTo({ file })}
      />
      <Counted
        label="Load"
        none="Any load"
        width={190}
        value={filter.load}
        values={counts?.loads}
        short={(load) => `Load ${load.slice(-8)}`}
        onChange={(load) => void goTo({ load })}
      />
      {(filter.reason || filter.file || filter.load) && (
        <Button variant="subtle" onClick={() => void goTo(nothing)}>
          Clear
        </Button>
      )}
    </Group>
  );
}

type CountedProps = {
  label: string;
  none: string;
  width: number;
  value: string | undefined;
  values: RejectsCounted["files"] | undefined;
  short: (value: string) => string;
  onChange: (value: string | undefined) => void;
};

function Counted({ label, none, width, value, values = [], short, onChange }: CountedProps) {
  const data = values.map((one) => ({ value: one.value, label: `${short(one.value)} (${count(one.rows)})` }));
  if (value && !values.some((one) => one.value === value)) data.push({ value, label: short(value) });
  return (
    <Select
      aria-label={label}
      placeholder={none}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      w={width}
      searchable
      clearable
      clearButtonProps={{ "aria-label": none }}
    />
  );
}
