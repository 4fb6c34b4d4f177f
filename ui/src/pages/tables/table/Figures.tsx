import { ActionIcon, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Dataset, Table } from "@/api/types";
import { bytes, count } from "@/parts/amounts";
import { When } from "@/parts/When";
import classes from "./Figures.module.css";

/** How large and how fresh: as the last sync had it, until the catalog has said how it is now. */
export function Figures({ dataset, table }: { dataset: Dataset; table: Table | undefined }) {
  const known = table ?? dataset;
  return (
    <dl className={classes.figures}>
      <Figure name="Rows">{count(known.rows)}</Figure>
      <Figure name="Size">{bytes(known.bytes)}</Figure>
      <Figure name="Files">{count(known.files)}</Figure>
      <Figure name="Last commit">
        <When at={known.committed_at} none="never" />
      </Figure>
      <Figure name="Format">
        {dataset.format}
        {table ? ` v${table.format_version}` : ""}
      </Figure>
      <Figure name="Catalog">{dataset.catalog ?? "none"}</Figure>
      {known.location && (
        <div className={`${classes.figure} ${classes.location}`}>
          <dt>Location</dt>
          <dd>
            <span className="mono" title={known.location}>
              {known.location}
            </span>
            <CopyLocation location={known.location} />
          </dd>
        </div>
      )}
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CopyLocation({ location }: { location: string }) {
  return (
    <CopyButton value={location}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          onClick={copy}
          aria-label={copied ? "Copied" : "Copy the location"}
        >
          {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}
