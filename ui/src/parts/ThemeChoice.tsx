import { SegmentedControl, useMantineColorScheme } from "@mantine/core";

const THEMES = [
  { value: "auto", label: "Auto" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** As the system has it, or as one wants it. Kept in this browser. */
export function ThemeChoice({ fullWidth }: { fullWidth?: boolean }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth={fullWidth}
      size="xs"
      aria-label="Theme"
      data={THEMES}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as "auto" | "light" | "dark")}
    />
  );
}
