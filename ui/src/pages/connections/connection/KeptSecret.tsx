import { IconFileText, IconLock, IconVariable } from "@tabler/icons-react";
import type { SecretKept } from "@/api/types";
import classes from "./KeptSecret.module.css";

/** Where a secret is. What it is nobody is told. */
export function KeptSecret({ kept }: { kept: SecretKept | undefined }) {
  if (!kept) return <span className={classes.none}>not set</span>;
  if (kept.kept === "variable")
    return (
      <span className={classes.kept}>
        <IconVariable size={15} aria-hidden /> from <Place what="variable" name={kept.place} />
      </span>
    );
  if (kept.kept === "file")
    return (
      <span className={classes.kept}>
        <IconFileText size={15} aria-hidden /> from <Place what="file" name={kept.place} />
      </span>
    );
  return (
    <span className={classes.kept}>
      <IconLock size={15} aria-hidden /> set, sealed
    </span>
  );
}

/** Its name is told to those who may change the connection. */
function Place({ what, name }: { what: string; name: string | null | undefined }) {
  return name ? (
    <span>
      the {what} <code>{name}</code>
    </span>
  ) : (
    <span>a {what} of the server</span>
  );
}
