import { ActionIcon, Button, Group, Select, Switch, Text } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconDownload } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { RunInFull } from "@/api/types";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import { isOver } from "@/parts/states";
import { runRoute } from "../routes";
import { LogLines } from "./LogLines";
import { saveText } from "./saving";
import { numbered, places } from "./searching";
import { useLog } from "./useLog";

export function RunLog({ run, workspace }: { run: RunInFull; workspace: string }) {
  const log = useLog(workspace, run.id, run.attempt);
  const { attempt } = runRoute.useSearch();
  const [wanted, setWanted] = useState<string>();
  const [turn, setTurn] = useState(0);
  const [follows, setFollows] = useState(!isOver(run.state));
  const lines = useMemo(() => numbered(log.lines, attempt), [log.lines, attempt]);
  const found = useMemo(() => places(lines, wanted ?? ""), [lines, wanted]);
  const current = found.length > 0 ? found[((turn % found.length) + found.length) % found.length] : undefined;
  const step = (by: number) => {
    setFollows(false);
    setTurn((before) => before + by);
  };
  return (
    <>
      <Group gap="xs">
        <FilterInput
          aria-label="Search the log"
          placeholder="Search the log"
          value={wanted}
          onChange={(text) => {
            setWanted(text);
            setTurn(0);
            if (text) setFollows(false);
          }}
          w={220}
        />
        {wanted && <Found count={found.length} current={current} found={found} onStep={step} />}
        {run.attempt > 1 && <AttemptChoice run={run} attempt={attempt} />}
        {!log.over && (
          <Switch
            size="xs"
            label="Follow"
            checked={follows}
            onChange={(event) => setFollows(event.currentTarget.checked)}
          />
        )}
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() =>
            saveText(
              `${run.job || "query"}-${run.id.slice(-8)}.log`,
              lines.map(({ line }) => line.text).join("\n"),
            )
          }
        >
          Download
        </Button>
      </Group>
      {lines.length === 0 ? (
        <NoLines over={log.over} />
      ) : (
        <LogLines lines={lines} wanted={wanted ?? ""} current={current} follows={follows && !log.over} />
      )}
    </>
  );
}

type FoundProps = {
  count: number;
  current: number | undefined;
  found: number[];
  onStep: (by: number) => void;
};

function Found({ count, current, found, onStep }: FoundProps) {
  return (
    <Group gap={4}>
      <ActionIcon variant="default" aria-label="The one before" onClick={() => onStep(-1)}>
        <IconChevronUp size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" aria-label="The next one" onClick={() => onStep(1)}>
        <IconChevronDown size={14} aria-hidden />
      </ActionIcon>
      <Text size="sm" c="dimmed" role="status">
        {count === 0 ? "not found" : `${found.indexOf(current ?? -1) + 1} of ${count}`}
      </Text>
    </Group>
  );
}

function AttemptChoice({ run, attempt }: { run: RunInFull; attempt: number | undefined }) {
  const navigate = useNavigate();
  const choices = run.attempts.map(({ number }) => ({ value: String(number), label: `Attempt ${number}` }));
  return (
    <Select
      aria-label="Attempt"
      placeholder="All attempts"
      data={choices}
      value={attempt === undefined ? null : String(attempt)}
      onChange={(value) =>
        navigate({
          from: runRoute.fullPath,
          search: (before) => ({ ...before, attempt: value ? Number(value) : undefined }),
          replace: true,
        })
      }
      clearable
      clearButtonProps={{ "aria-label": "All attempts" }}
      w={140}
    />
  );
}

function NoLines({ over }: { over: boolean }) {
  if (over) return <EmptyState title="It printed nothing">What a program prints is kept here.</EmptyState>;
  return <EmptyState title="Nothing was printed yet">Lines appear as they come.</EmptyState>;
}
