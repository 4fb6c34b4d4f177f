import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { User } from "@/api/types";
import { FormDialog } from "@/parts/FormDialog";
import { fieldProblems } from "@/parts/fieldProblems";
import { useChangeUser } from "./queries";

export function EditUserDialog({
  user,
  opened,
  onClose,
}: {
  user: User;
  opened: boolean;
  onClose: () => void;
}) {
  const [called, setCalled] = useState(user.display_name);
  const [email, setEmail] = useState(user.email ?? "");
  const change = useChangeUser(user.name);
  const problem = fieldProblems(change.error);
  return (
    <FormDialog
      opened={opened}
      title={`Edit ${user.name}`}
      submit="Save"
      busy={change.isPending}
      problem={change.error}
      onSubmit={() => change.mutate({ display_name: called, email: email || null }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextInput
        label="Called"
        value={called}
        error={problem("display_name")}
        onChange={(event) => setCalled(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label="E-mail"
        value={email}
        error={problem("email")}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
