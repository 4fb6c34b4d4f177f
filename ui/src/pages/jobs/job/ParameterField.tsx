import { Select, TextInput } from "@mantine/core";
import type { Parameter } from "@/api/types";

type Props = { parameter: Parameter; value: string; onChange: (value: string) => void };

const KINDS: Partial<Record<Parameter["type"], string>> = { date: "date", timestamp: "datetime-local" };

export function ParameterField({ parameter, value, onChange }: Props) {
  const fallback = parameter.default ?? undefined;
  const common = {
    label: parameter.name,
    description: parameter.description || undefined,
    placeholder: fallback === undefined ? parameter.type : String(fallback),
    required: fallback === undefined,
    size: "sm",
  } as const;
  const choices =
    parameter.choices?.map(String) ?? (parameter.type === "boolean" ? ["true", "false"] : undefined);
  if (choices) {
    return (
      <Select
        {...common}
        data={choices}
        value={value || null}
        onChange={(chosen) => onChange(chosen ?? "")}
        clearable
      />
    );
  }
  const kind = KINDS[parameter.type] ?? "text";
  // A date's own field shows no placeholder: the default stands there to be changed.
  const shown = kind === "text" || value ? value : String(fallback ?? "").slice(0, kind === "date" ? 10 : 16);
  return (
    <TextInput
      {...common}
      type={kind}
      value={shown}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
