import { NumberInput, Select, SimpleGrid, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import type { ConfigField } from "./fields";

type Config = Record<string, unknown>;
type Props = {
  fields: readonly ConfigField[];
  config: Config;
  problem: (field: string) => string | undefined;
  onChange: (config: Config) => void;
};

/** A form of a kind's config, as the server describes it. */
export function ConfigFields({ fields, config, problem, onChange }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={config[field.name] ?? (field.shape === "boolean" ? field.otherwise : undefined)}
          problem={problem(`config.${field.name}`)}
          onChange={(value) => onChange({ ...config, [field.name]: value })}
        />
      ))}
    </SimpleGrid>
  );
}

type FieldProps = {
  field: ConfigField;
  value: unknown;
  problem: string | undefined;
  onChange: (value: unknown) => void;
};

function Field({ field, value, problem, onChange }: FieldProps) {
  const { label, description, required, otherwise } = field;
  const same = { label, description, required, error: problem, size: "xs" } as const;
  const placeholder = otherwise === undefined || otherwise === "" ? undefined : String(otherwise);
  switch (field.shape) {
    case "boolean":
      return (
        <Switch
          label={label}
          description={description}
          error={problem}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
          mt={22}
        />
      );
    case "number":
      return (
        <NumberInput
          {...same}
          min={field.min}
          max={field.max}
          placeholder={placeholder}
          value={typeof value === "number" ? value : ""}
          onChange={onChange}
          hideControls
        />
      );
    case "choice":
      return (
        <Select
          {...same}
          data={field.choices ?? []}
          allowDeselect={false}
          value={String(value ?? otherwise ?? "")}
          onChange={onChange}
        />
      );
    case "list":
      return (
        <TagsInput
          {...same}
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
          splitChars={[",", " "]}
          acceptValueOnBlur
          placeholder="Enter after each"
        />
      );
    case "long":
      return (
        <Textarea
          {...same}
          autosize
          minRows={1}
          maxRows={6}
          value={String(value ?? "")}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          {...same}
          placeholder={placeholder}
          autoComplete="off"
          value={String(value ?? "")}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
