import { Button, Group, Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconClockHour4, IconDeviceFloppy, IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { CopyAs } from "@/parts/CopyAs";
import { ROWS, type Tab } from "../desk/desk";
import { tablesIn } from "../editor/tables";
import { enginesQuery } from "../queries";
import { AsOfDialog } from "./AsOfDialog";
import { commandsOf } from "./commandsOf";
import { SaveDialog } from "./SaveDialog";

const SPARK = "Spark, the lake's own";

type Props = {
  workspace: string;
  tab: Tab;
  isAsking: boolean;
  isRunning: boolean;
  isCancelling: boolean;
  onRun: () => void;
  onCancel: () => void;
  onChange: (part: Partial<Tab>) => void;
};

export function Toolbar(props: Props) {
  const { workspace, tab, isAsking, isRunning, isCancelling, onRun, onCancel, onChange } = props;
  const [saving, save] = useDisclosure(false);
  const [asOf, travel] = useDisclosure(false);
  const isEmpty = tab.sql.trim() === "";
  return (
    <Group gap="xs" p={6} justify="space-between">
      <Group gap="xs">
        <Button
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          title="Ctrl-Enter. Where something is selected, only that is run."
          disabled={isEmpty || isAsking || isRunning}
          onClick={onRun}
        >
          Run
        </Button>
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={14} aria-hidden />}
          disabled={!isRunning || isCancelling}
          onClick={onCancel}
        >
          {isRunning && isCancelling ? "Cancelling" : "Cancel"}
        </Button>
        <EngineSelect workspace={workspace} tab={tab} onChange={onChange} />
        <Select
          aria-label="How many rows are kept"
          w={128}
          allowDeselect={false}
          data={ROWS.map((rows) => ({ value: String(rows), label: `${rows.toLocaleString("en")} rows` }))}
          value={String(tab.rows)}
          onChange={(rows) => onChange({ rows: Number(rows) })}
        />
      </Group>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconClockHour4 size={14} aria-hidden />}
          title="A table as it was at another time"
          disabled={tablesIn(tab.sql).length === 0}
          onClick={travel.open}
        >
          As of
        </Button>
        <Button
          variant="default"
          leftSection={<IconDeviceFloppy size={14} aria-hidden />}
          disabled={isEmpty}
          onClick={save.open}
        >
          Save
        </Button>
        <CopyAs commands={commandsOf(workspace, tab)} />
      </Group>
      {saving && (
        <SaveDialog
          workspace={workspace}
          tab={tab}
          onClose={save.close}
          onSaved={(saved) => onChange({ saved })}
        />
      )}
      {asOf && (
        <AsOfDialog
          workspace={workspace}
          tab={tab}
          onClose={travel.close}
          onChange={(sql) => onChange({ sql })}
        />
      )}
    </Group>
  );
}

function EngineSelect({ workspace, tab, onChange }: Pick<Props, "workspace" | "tab" | "onChange">) {
  const known = useQuery(enginesQuery(workspace)).data ?? [];
  // One that is gone is still what the tab says; the server says that it is gone.
  const names = tab.connection && !known.includes(tab.connection) ? [...known, tab.connection] : known;
  return (
    <Select
      aria-label="Engine"
      w={190}
      allowDeselect={false}
      data={[{ value: "", label: SPARK }, ...names.map((name) => ({ value: name, label: `Trino: ${name}` }))]}
      value={tab.connection ?? ""}
      onChange={(name) => onChange({ connection: name || undefined })}
    />
  );
}
