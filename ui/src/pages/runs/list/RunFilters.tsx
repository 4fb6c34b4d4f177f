import { Button, Group, MultiSelect, Select } from "@mantine/core";
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

/** What is chosen here is in the address, so that it can be sent to somebody and found again. */
export function RunFilters({ search, workspace }: { search: RunsSearch; workspace: string }) {
  const navigate = useNavigate();
  const set = (change: RunsSearch) =>
    void navigate({
      to: "/w/$workspace/runs",
      params: { workspace },
      search: (before) => ({ ...before, ...change }),
      replace: true,
    });
  const chosen = Object.values(search).some(Boolean);
  return (
    <Group gap="xs" align="flex-end">
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
      {chosen && (
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
