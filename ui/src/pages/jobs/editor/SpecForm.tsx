import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import { parse, stringify } from "yaml";
import { CodeEditor } from "@/parts/code";
import { MAIN } from "./kinds";

type Spec = Record<string, unknown>;
type Props = { kind: string; spec: Spec; onChange: (spec: Spec) => void };

/** The kind's text in its own language; everything else of the spec as YAML. */
export function SpecForm({ kind, spec, onChange }: Props) {
  const main = MAIN[kind];
  if (!main || (spec[main.field] === undefined && Object.keys(spec).length > 0)) {
    return <SpecAsYaml key={kind} spec={spec} onChange={onChange} label="The spec" />;
  }
  const { [main.field]: text, ...rest } = spec;
  return (
    <Stack gap="sm">
      <Text size="xs" c="dimmed">
        {main.label}
      </Text>
      <CodeEditor
        label={main.label}
        language={main.language}
        value={typeof text === "string" ? text : ""}
        onChange={(next) => onChange({ ...spec, [main.field]: next })}
        height="240px"
      />
      <SpecAsYaml
        key={kind}
        spec={rest}
        onChange={(next) => onChange({ [main.field]: text, ...next })}
        label="Further settings"
      />
    </Stack>
  );
}

function SpecAsYaml({
  spec,
  onChange,
  label,
}: {
  spec: Spec;
  onChange: (spec: Spec) => void;
  label: string;
}) {
  const [written, setWritten] = useState(
    Object.keys(spec).length > 0 ? stringify(spec, { lineWidth: 0 }) : "",
  );
  const [problem, setProblem] = useState("");
  const take = (text: string) => {
    setWritten(text);
    try {
      const read: unknown = parse(text) ?? {};
      if (typeof read !== "object" || Array.isArray(read))
        throw new Error("Names and values are wanted here.");
      onChange(read as Spec);
      setProblem("");
    } catch (error) {
      setProblem((error as Error).message.split("\n")[0] ?? "");
    }
  };
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {label}, as YAML
      </Text>
      <CodeEditor label={label} language="yaml" value={written} onChange={take} />
      {problem && (
        <Text size="xs" c="var(--failed)" role="alert" mt={4}>
          {problem}
        </Text>
      )}
    </div>
  );
}
