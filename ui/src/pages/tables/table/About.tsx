import { ActionIcon, Badge, Button, Group, Stack, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { Dataset } from "@/api/types";
import { useMay } from "@/app/session";
import { ProblemNote } from "@/parts/ProblemNote";
import { useDescribe } from "../changes";

type Props = { dataset: Dataset; workspace: string };

/** What people say of the table; editors change it where it stands. */
export function About({ dataset, workspace }: Props) {
  const [editing, { open, close }] = useDisclosure(false);
  const may = useMay(workspace, "editor");
  if (editing) return <Edit dataset={dataset} workspace={workspace} onDone={close} />;
  return (
    <Stack gap={4}>
      <Text size="sm" maw={760}>
        {dataset.description || "Nobody has said yet what is in it."}
      </Text>
      <Group gap={6}>
        <span>
          Owner: <strong>{dataset.owner || "nobody"}</strong>
        </span>
        {dataset.tags.map((tag) => (
          <Badge
            key={tag}
            variant="default"
            size="sm"
            tt="none"
            fw={500}
            component={Link}
            to="/w/$workspace/tables"
            params={{ workspace } as never}
            search={{ tag } as never}
            style={{ cursor: "pointer" }}
          >
            {tag}
          </Badge>
        ))}
        {may && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Edit owner, tags and description"
            onClick={open}
          >
            <IconPencil size={14} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    </Stack>
  );
}

function Edit({ dataset, workspace, onDone }: Props & { onDone: () => void }) {
  const [description, setDescription] = useState(dataset.description);
  const [owner, setOwner] = useState(dataset.owner);
  const [tags, setTags] = useState(dataset.tags);
  const describe = useDescribe(workspace, dataset.name);
  const save = (event: FormEvent) => {
    event.preventDefault();
    describe.mutate({ description, owner, tags }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={save}>
      <Stack gap="xs" maw={620} miw={{ base: 0, sm: 480 }}>
        <Textarea
          label="Description"
          size="xs"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          data-autofocus
        />
        <Group grow align="flex-start">
          <TextInput
            label="Owner"
            maxLength={100}
            value={owner}
            onChange={(event) => setOwner(event.currentTarget.value)}
          />
          <TagsInput
            label="Tags"
            size="xs"
            placeholder={tags.length === 0 ? "Enter adds one" : undefined}
            value={tags}
            onChange={(given) => setTags(given.map((tag) => tag.trim().toLowerCase()))}
          />
        </Group>
        {describe.error && <ProblemNote problem={describe.error} />}
        <Group gap="xs">
          <Button type="submit" loading={describe.isPending}>
            Save
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
