import { ActionIcon, Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { Parameter } from "@/api/types";
import { given } from "../job/values";

const TYPES: Parameter["type"][] = ["string", "integer", "number", "boolean", "date", "timestamp"];

type Props = { parameters: readonly Parameter[]; onChange: (parameters: Parameter[]) => void };

export function ParametersForm({ parameters, onChange }: Props) {
  const put = (index: number, next: Parameter) =>
    onChange(parameters.map((one, place) => (place === index ? next : one)));
  const add = () =>
    onChange([...parameters, { name: `p${parameters.length + 1}`, type: "string", description: "" }]);
  return (
    <Stack gap="xs" align="flex-start">
      {parameters.map((parameter, index) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed; its place does not.
          key={index}
          number={index + 1}
          parameter={parameter}
          onChange={(next) => put(index, next)}
          onRemove={() => onChange(parameters.filter((_, place) => place !== index))}
        />
      ))}
      <Button variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        Add a parameter
      </Button>
    </Stack>
  );
}

type RowProps = {
  number: number;
  parameter: Parameter;
  onChange: (next: Parameter) => void;
  onRemove: () => void;
};

function Row({ number, parameter, onChange, onRemove }: RowProps) {
  const typed = (text: string) => ({
    ...parameter,
    default: given([parameter], { [parameter.name]: text })[parameter.name],
  });
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        aria-label={`Name of parameter ${number}`}
        placeholder="name"
        w={130}
        value={parameter.name}
        onChange={(event) => onChange({ ...parameter, name: event.currentTarget.value })}
      />
      <Select
        aria-label={`Type of parameter ${number}`}
        data={TYPES}
        w={110}
        allowDeselect={false}
        value={parameter.type}
        onChange={(type) =>
          onChange({ ...parameter, type: (type ?? "string") as Parameter["type"], default: undefined })
        }
      />
      <TextInput
        aria-label={`Default of parameter ${number}`}
        placeholder="must be given"
        w={140}
        value={parameter.default === undefined || parameter.default === null ? "" : String(parameter.default)}
        onChange={(event) => onChange(typed(event.currentTarget.value))}
      />
      <TextInput
        aria-label={`Description of parameter ${number}`}
        placeholder="what it is for"
        w={200}
        value={parameter.description}
        onChange={(event) => onChange({ ...parameter, description: event.currentTarget.value })}
      />
      <ActionIcon variant="default" size={30} aria-label={`Remove parameter ${number}`} onClick={onRemove}>
        <IconTrash size={14} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
