import { Button, Group, MultiSelect, SegmentedControl, Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { FilterInput } from "@/parts/FilterInput";
import { STATES } from "@/parts/states";
import type { RunsSearch } from "../routes";

const TIMES = [
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
];

const VIEWS = [
  { value: "list", label: "List" },
  { value: "matrix", label: "Matrix" },
];

/** What is chosen here is in the address, so that it can be sent to somebody and found again. */
export function RunFilters({ search, workspace }: { search: RunsSearch; workspace: string }) {
  const navigate = useNavigate({ from: "/w/$workspace/runs" });
  const set = (change: RunsSearch) =>
    void navigate({
      to: "/w/$workspace/runs",
      params: { workspace },
      search: { ...search, ...change },
      replace: true,
    });
  const matrix = search.as === "matrix";
  return (
    <Group gap="xs" align="flex-end">
      <SegmentedControl
        aria-label="View"
        size="xs"
        data={VIEWS}
        value={search.as ?? "list"}
        onChange={(view) => set({ as: view === "matrix" ? view : undefined })}
      />
      <MultiSelect
        aria-label="State"
        placeholder={search.state ? undefined : "Any state"}
        data={[...STATES]}
        value={search.state?.split(",") ?? []}
        onChange={(states) => set({ state: states.join(",") || undefined })}
        size="xs"
        miw={170}
        clearable
        clearButtonProps={{ "aria-label": "Any state" }}
      />
      <FilterInput
        aria-label="Job"
        placeholder="Any job"
        value={search.job}
        onChange={(job) => set({ job })}
        w={150}
      />
      {!matrix && <WhoAndWhen search={search} set={set} />}
      {isFiltered(search) && (
        <Button
          variant="subtle"
          onClick={() => set({ state: undefined, job: undefined, by: undefined, within: undefined })}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

/** Of the list alone: the matrix is of each job's last runs, whoever started them. */
function WhoAndWhen({ search, set }: { search: RunsSearch; set: (change: RunsSearch) => void }) {
  return (
    <>
      <FilterInput
        aria-label="Started by"
        placeholder="Anybody"
        value={search.by}
        onChange={(by) => set({ by })}
        w={120}
      />
      <Select
        aria-label="Time"
        placeholder="Any time"
        data={TIMES}
        value={search.within ?? null}
        onChange={(within) => set({ within: within ?? undefined })}
        w={140}
        clearable
        clearButtonProps={{ "aria-label": "Any time" }}
      />
    </>
  );
}

export function isFiltered({ state, job, by, within }: RunsSearch): boolean {
  return Boolean(state || job || by || within);
}
