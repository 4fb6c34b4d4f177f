import { TextInput } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { DatasetGroups } from "@/api/types";
import { compact } from "@/parts/amounts";
import classes from "./NamespaceTree.module.css";
import { above, type Branch, grown, inSight } from "./tree";

type Props = {
  groups: DatasetGroups | undefined;
  chosen: string | undefined;
  onChoose: (namespace: string | undefined) => void;
};

// More namespaces than fit are worth a search.
const MANY = 8;

/** Namespaces as a tree: arrows walk and open, Enter chooses. */
export function NamespaceTree({ groups, chosen, onChoose }: Props) {
  const [searched, setSearched] = useState("");
  const roots = useMemo(() => grown(groups?.namespaces ?? []), [groups]);
  const { open, set } = useOpen(roots, chosen);
  const shown = inSight(roots, open, searched);
  const all: Branch = {
    path: "",
    label: "All tables",
    depth: 0,
    tables: groups?.datasets ?? 0,
    children: [],
  };
  const list = useRef<HTMLDivElement>(null);
  const walk = (event: KeyboardEvent, branch: Branch) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
    const here = items.indexOf(event.currentTarget as HTMLElement);
    const go: Record<string, () => void> = {
      ArrowDown: () => items[here + 1]?.focus(),
      ArrowUp: () => items[here - 1]?.focus(),
      Home: () => items[0]?.focus(),
      End: () => items.at(-1)?.focus(),
      ArrowRight: () => set(branch.path, true),
      ArrowLeft: () => set(branch.path, false),
      Enter: () => onChoose(branch.path || undefined),
      " ": () => onChoose(branch.path || undefined),
    };
    const act = go[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <div className={classes.aside}>
      {(groups?.namespaces.length ?? 0) > MANY && (
        <TextInput
          aria-label="Search namespaces"
          placeholder="Search namespaces"
          value={searched}
          onChange={(event) => setSearched(event.currentTarget.value.trim())}
        />
      )}
      <div role="tree" aria-label="Namespaces" className={classes.tree} ref={list}>
        {[all, ...shown].map((branch) => (
          <Item
            key={branch.path}
            branch={branch}
            open={branch.children.length > 0 ? open.has(branch.path) || Boolean(searched) : undefined}
            chosen={(chosen ?? "") === branch.path}
            onChoose={() => onChoose(branch.path || undefined)}
            onTwist={() => set(branch.path, !open.has(branch.path))}
            onKeyDown={(event) => walk(event, branch)}
          />
        ))}
      </div>
    </div>
  );
}

type ItemProps = {
  branch: Branch;
  open: boolean | undefined;
  chosen: boolean;
  onChoose: () => void;
  onTwist: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function Item({ branch, open, chosen, onChoose, onTwist, onKeyDown }: ItemProps) {
  return (
    <div
      role="treeitem"
      aria-level={branch.depth + 1}
      aria-expanded={open}
      aria-selected={chosen}
      tabIndex={chosen ? 0 : -1}
      className={classes.branch}
      style={{ paddingLeft: branch.depth * 14 }}
      onClick={onChoose}
      onKeyDown={onKeyDown}
    >
      <span
        className={classes.twist}
        data-open={open || undefined}
        aria-hidden
        onClick={(event) => {
          if (open === undefined) return;
          event.stopPropagation();
          onTwist();
        }}
      >
        {open !== undefined && <IconChevronRight size={14} />}
      </span>
      <span className={classes.label} title={branch.path}>
        {branch.label}
      </span>
      <span className={classes.count}>{compact(branch.tables)}</span>
    </div>
  );
}

function useOpen(roots: readonly Branch[], chosen: string | undefined) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const few = roots.length <= MANY;
  useEffect(() => {
    // What one came for is in sight, and so is the next level where there is room for it.
    const first = few ? roots.map((root) => root.path) : [];
    setOpen((before) => new Set([...before, ...first, ...(chosen ? [...above(chosen), chosen] : [])]));
  }, [roots, chosen, few]);
  const set = (path: string, wanted: boolean) =>
    setOpen((before) => new Set(wanted ? [...before, path] : [...before].filter((one) => one !== path)));
  return { open, set };
}
