import { Autocomplete, Group, Select, SimpleGrid, Switch, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Problem } from "@/api/problem";
import type { Definition } from "@/api/types";
import { exactly } from "@/parts/times";
import { timesQuery } from "../queries";
import { inWords } from "../schedules";

type Schedule = NonNullable<Definition["schedule"]>;
type Props = { schedule: Schedule | undefined; onChange: (schedule: Schedule | null) => void };

const CATCH_UP = [
  { value: "none", label: "nothing" },
  { value: "latest", label: "one run for all of them" },
  { value: "all", label: "one run for each" },
];
const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];

export function ScheduleForm({ schedule, onChange }: Props) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const first: Schedule = { cron: "0 6 * * *", timezone: zone, catch_up: "latest" };
  return (
    <>
      <Switch
        label="By a schedule"
        size="sm"
        checked={schedule !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? first : null)}
      />
      {schedule && <Times schedule={schedule} onChange={onChange} />}
    </>
  );
}

function Times({ schedule, onChange }: { schedule: Schedule; onChange: (schedule: Schedule) => void }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }} mt="sm">
        <TextInput
          label="Cron"
          description="minute hour day month weekday"
          className="mono"
          value={schedule.cron}
          onChange={(event) => onChange({ ...schedule, cron: event.currentTarget.value })}
        />
        <Autocomplete
          label="Time zone"
          description="such as Europe/Zurich"
          size="xs"
          data={ZONES}
          limit={20}
          value={schedule.timezone}
          onChange={(timezone) => onChange({ ...schedule, timezone })}
        />
        <Select
          label="For times that were missed"
          description="while nobody was there"
          data={CATCH_UP}
          allowDeselect={false}
          value={schedule.catch_up}
          onChange={(value) =>
            onChange({ ...schedule, catch_up: (value ?? "latest") as Schedule["catch_up"] })
          }
        />
      </SimpleGrid>
      <Preview schedule={schedule} />
    </>
  );
}

function Preview({ schedule }: { schedule: Schedule }) {
  const [wanted] = useDebouncedValue(schedule, 300);
  const { data, error } = useQuery({ ...timesQuery(wanted), retry: false });
  return (
    <Group mt="sm" mih={42} align="flex-start">
      {error ? (
        <Text size="sm" c="var(--failed)" role="alert">
          {Problem.of(error).message}
        </Text>
      ) : (
        <Text size="sm" component="div">
          {inWords(wanted)}
          <Text size="sm" c="dimmed">
            Next:{" "}
            {data
              ?.slice(0, 3)
              .map((time) => exactly(new Date(time)))
              .join(" · ")}
          </Text>
        </Text>
      )}
    </Group>
  );
}
