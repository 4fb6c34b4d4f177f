import { Select, type SelectProps, Text } from "@mantine/core";
import type { Role } from "@/api/types";
import { ROLE_MAY, ROLES } from "./roles";

type Props = Omit<SelectProps, "data" | "value" | "onChange"> & {
  value: Role;
  onChange: (role: Role) => void;
};

/** A role, each with what it may. */
export function RoleSelect({ value, onChange, ...rest }: Props) {
  return (
    <Select
      {...rest}
      data={ROLES}
      value={value}
      allowDeselect={false}
      comboboxProps={{ width: 260, position: "bottom-start" }}
      onChange={(role) => role && onChange(role as Role)}
      renderOption={({ option }) => (
        <div>
          <Text size="sm" fw={option.value === value ? 600 : 450}>
            {option.value}
          </Text>
          <Text size="xs" c="dimmed">
            {ROLE_MAY[option.value as Role]}
          </Text>
        </div>
      )}
    />
  );
}
