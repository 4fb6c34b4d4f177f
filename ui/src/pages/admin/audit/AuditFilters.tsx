import { Button, Group, Select, TextInput } from "@mantine/core";
import { type LinkProps, useNavigate } from "@tanstack/react-router";
import { FilterInput } from "@/parts/FilterInput";
import { type AuditSearch, RESULTS } from "./search";

/** What is chosen here is in the address, so that it can be sent to somebody and found again. */
export function AuditFilters({ search }: { search: AuditSearch }) {
  const navigate = useNavigate();
  const go = (next: AuditSearch) =>
    void navigate({ to: ".", search: (() => next) as LinkProps["search"], replace: true });
  const set = (change: AuditSearch) => go({ ...search, entry: undefined, ...change });
  const { entry: _, ...chosen } = search;
  return (
    <Group gap="xs" align="flex-end">
      <FilterInput
        aria-label="Who"
        placeholder="Anybody"
        value={search.user}
        onChange={(user) => set({ user })}
        w={120}
      />
      <FilterInput
        aria-label="Action"
        placeholder="Any action"
        title="Such as connection.create, or connection for all that is done with one"
        value={search.action}
        onChange={(action) => set({ action })}
        w={150}
      />
      <FilterInput
        aria-label="To what"
        placeholder="Anything"
        value={search.target}
        onChange={(target) => set({ target })}
        w={140}
      />
      <Select
        aria-label="Result"
        placeholder="Any result"
        data={[...RESULTS]}
        value={search.result ?? null}
        onChange={(result) => set({ result: (result ?? undefined) as AuditSearch["result"] })}
        w={140}
        clearable
        clearButtonProps={{ "aria-label": "Any result" }}
      />
      <TextInput
        aria-label="From"
        type="date"
        title="The first day"
        value={search.from ?? ""}
        onChange={(event) => set({ from: event.currentTarget.value || undefined })}
        w={132}
      />
      <TextInput
        aria-label="To"
        type="date"
        title="The last day"
        value={search.to ?? ""}
        onChange={(event) => set({ to: event.currentTarget.value || undefined })}
        w={132}
      />
      {Object.values(chosen).some(Boolean) && (
        <Button variant="subtle" onClick={() => go({})}>
          Clear
        </Button>
      )}
    </Group>
  );
}
