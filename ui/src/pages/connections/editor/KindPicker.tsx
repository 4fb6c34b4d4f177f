import { Link } from "@tanstack/react-router";
import type { ConnectionKind } from "@/api/types";
import { Page } from "@/parts/Page";
import { KindIcon } from "../KindIcon";
import classes from "./KindPicker.module.css";

type Props = { workspace: string; kinds: readonly ConnectionKind[] };

/** What it is to lead to. */
export function KindPicker({ workspace, kinds }: Props) {
  return (
    <Page title="New connection" about="What does it lead to?">
      <ul className={classes.kinds}>
        {kinds.map((kind) => (
          <li key={kind.name}>
            <Link
              to="/w/$workspace/new-connection"
              params={{ workspace }}
              search={{ kind: kind.name }}
              className={classes.kind}
            >
              <KindIcon kind={kind.name} size={22} />
              <span>{kind.title}</span>
              <span className={classes.name}>{kind.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
