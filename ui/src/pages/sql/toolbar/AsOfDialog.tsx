import { Button, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Snapshot } from "@/api/types";
import { ProblemNote } from "@/parts/ProblemNote";
import { exactly } from "@/parts/times";
import type { Tab } from "../desk/desk";
import { tablesIn } from "../editor/tables";
import { snapshotsQuery } from "../queries";
import { clause, type Moment, withAsOf } from "./asOf";

type Props = { workspace: string; tab: Tab; onClose: () => void; onChange: (sql: string) => void };

/** A table of the text as it was: at one of its snapshots, or at a time. It is written into the text. */
export function AsOfDialog({ workspace, tab, onClose, onChange }: Props) {
  const tables = tablesIn(tab.sql);
  const [place, setPlace] = useState("0");
  const [by, setBy] = useState("snapshot");
  const [moment, setMoment] = useState<Moment>();
  const table = tables[Number(place)];
  const put = (said: string | undefined) => {
    if (table) onChange(withAsOf(tab.sql, table, said));
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title="As of">
      <Stack gap="sm">
        <Select
          label="Table"
          size="sm"
          allowDeselect={false}
          data={tables.map(({ name, alias }, index) => ({
            value: String(index),
            label: alias ? `${name} (${alias})` : name,
          }))}
          value={place}
          onChange={(chosen) => {
            setPlace(chosen ?? "0");
            setMoment(undefined);
          }}
        />
        <SegmentedControl
          aria-label="By"
          data={[
            { value: "snapshot", label: "A snapshot" },
            { value: "time", label: "A time" },
          ]}
          value={by}
          onChange={(chosen) => {
            setBy(chosen);
            setMoment(undefined);
          }}
        />
        {by === "time" && <AtTime onChange={(at) => setMoment(at && { at })} />}
        {by === "snapshot" && table && (
          <AtSnapshot
            key={table.name}
            workspace={workspace}
            name={table.name}
            onChange={(snapshot) => setMoment(snapshot ? { snapshot } : undefined)}
          />
        )}
        <Group justify="space-between">
          <Button variant="default" disabled={!table?.asOf} onClick={() => put(undefined)}>
            As it is now
          </Button>
          <Button
            disabled={!moment}
            onClick={() => moment && put(clause(tab.connection ? "trino" : "spark", moment))}
          >
            Write it into the query
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function AtTime({ onChange }: { onChange: (at: Date | undefined) => void }) {
  return (
    <TextInput
      label="Time"
      description="In your time zone. The newest snapshot of that time is read."
      size="sm"
      type="datetime-local"
      step={1}
      onChange={({ currentTarget: { value } }) => onChange(value ? new Date(value) : undefined)}
    />
  );
}

type AtSnapshotProps = { workspace: string; name: string; onChange: (snapshot: string | null) => void };

function AtSnapshot({ workspace, name, onChange }: AtSnapshotProps) {
  const { data, error } = useQuery(snapshotsQuery(workspace, name));
  if (error) {
    return (
      <>
        <ProblemNote problem={error} />
        <Text size="sm" c="dimmed">
          Snapshots are known of tables that are datasets of the workspace. A time works for every table.
        </Text>
      </>
    );
  }
  return (
    <Select
      label="Snapshot"
      description={data?.next ? "The newest hundred; older ones by their time." : "The newest first."}
      placeholder={data ? "Choose one" : "Looking at its snapshots…"}
      size="sm"
      searchable
      disabled={!data}
      data={(data?.items ?? []).map((snapshot) => ({ value: snapshot.id, label: told(snapshot) }))}
      onChange={onChange}
    />
  );
}

function told({ at, operation, added_rows, deleted_rows, current }: Snapshot): string {
  const parts = [exactly(new Date(at)), operation ?? "commit"];
  if (added_rows) parts.push(`+${added_rows.toLocaleString("en")} rows`);
  if (deleted_rows) parts.push(`−${deleted_rows.toLocaleString("en")} rows`);
  if (current) parts.push("current");
  return parts.join(" · ");
}
