import { Autocomplete, TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";

// Longer than between two keys, shorter than one waits for.
const PAUSE = 250;

type Props = Omit<TextInputProps, "value" | "onChange"> & {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Names to choose from, for filters that take only whole ones. */
  choices?: string[];
};

// More are not read; typing finds the others.
const SHOWN = 30;

/** A text to filter by: what is typed is told once one pauses, and what comes from elsewhere is taken over. */
export function FilterInput({ value, onChange, choices, ...rest }: Props) {
  const [typed, setTyped] = useState(value ?? "");
  const tell = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), PAUSE);
  useEffect(() => setTyped(value ?? ""), [value]);
  const type = (text: string) => {
    setTyped(text);
    tell(text);
  };
  if (choices)
    return (
      <Autocomplete
        {...(rest as object)}
        size="xs"
        data={[...new Set(choices)]}
        limit={SHOWN}
        value={typed}
        onChange={type}
      />
    );
  return <TextInput {...rest} value={typed} onChange={(event) => type(event.currentTarget.value)} />;
}
