import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";

type Props = { workspace: string; job: string; base: number };

/** Somebody saved another version meanwhile: where to see it, and how to go on without losing either. */
export function Overtaken({ workspace, job, base }: Props) {
  return (
    <Text size="sm">
      Nothing was saved, and what you wrote is still here.{" "}
      <Link
        to="/w/$workspace/jobs/$job"
        params={{ workspace, job }}
        search={{ tab: "versions", from: base }}
        target="_blank"
      >
        See what was changed meanwhile
      </Link>
      , in a window of its own. To begin from that, load this page again; what is under YAML can be copied
      first.
    </Text>
  );
}
