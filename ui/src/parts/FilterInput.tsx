import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";

// Longer than between two keys, shorter than one waits for.
const PAUSE = 250;

type Props = Omit<TextInputProps, "value" | "onChange"> & {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** A text to filter by: what is typed is told once one pauses, and what comes from elsewhere is taken over. */
export function FilterInput({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState(value ?? "");
  const tell = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), PAUSE);
  useEffect(() => setTyped(value ?? ""), [value]);
  return (
    <TextInput
      {...rest}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
    />
  );
}
