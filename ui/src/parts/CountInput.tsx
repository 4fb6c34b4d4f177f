import { TextInput, type TextInputProps } from "@mantine/core";

type Props = Omit<TextInputProps, "value" | "onChange"> & {
  value: number | null | undefined;
  onChange: (value: number | undefined) => void;
};

/** A whole number. What is typed stays as it is typed: the server says what is wrong with it, and it is told here. */
export function CountInput({ value, onChange, ...rest }: Props) {
  return (
    <TextInput
      {...rest}
      inputMode="numeric"
      value={value ?? ""}
      onChange={(event) => onChange(counted(event.currentTarget.value))}
    />
  );
}

/** What is no number goes to the server as it is, which refuses it in words. */
function counted(text: string): number | undefined {
  const typed = text.trim();
  if (typed === "") return undefined;
  return /^(0|-?[1-9]\d{0,14})$/.test(typed) ? Number(typed) : (typed as unknown as number);
}
