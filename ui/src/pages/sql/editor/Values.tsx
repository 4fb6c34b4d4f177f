import { Group, Select } from "@mantine/core";
import type { Parameter } from "@/api/types";
import { ParameterField } from "../../jobs/job/ParameterField";
import type { Tab } from "../desk/desk";
import { namesIn } from "./parameters";

const TYPES: Parameter["type"][] = ["string", "integer", "number", "boolean", "date", "timestamp"];

/** A field for each `:name` of the text, with its type. */
export function Values({ tab, onChange }: { tab: Tab; onChange: (part: Partial<Tab>) => void }) {
  const names = namesIn(tab.sql);
  if (names.length === 0) return null;
  return (
    <Group gap="md" px={10} pb={8} pt={2} align="flex-end" role="group" aria-label="Values of the parameters">
      {names.map((name) => {
        const type = tab.types[name] ?? "string";
        return (
          <Group key={name} gap={4} align="flex-end" wrap="nowrap">
            <ParameterField
              parameter={{ name, type, description: "" }}
              value={tab.values[name] ?? ""}
              onChange={(value) => onChange({ values: { ...tab.values, [name]: value } })}
            />
            <Select
              aria-label={`Type of ${name}`}
              size="sm"
              w={112}
              allowDeselect={false}
              data={TYPES}
              value={type}
              onChange={(chosen) =>
                onChange({ types: { ...tab.types, [name]: (chosen ?? "string") as Parameter["type"] } })
              }
            />
          </Group>
        );
      })}
    </Group>
  );
}
