export type Branch = {
  /** Such as `sales.eu`. */
  path: string;
  label: string;
  depth: number;
  /** In it and further down. */
  tables: number;
  children: Branch[];
};

type Counted = { name: string; datasets: number };

/** Namespaces as a tree, with those that only lead to others. */
export function grown(namespaces: readonly Counted[]): Branch[] {
  const roots: Branch[] = [];
  const known = new Map<string, Branch>();
  for (const { name, datasets } of namespaces) {
    const parts = name.split(".");
    for (const depth of parts.keys()) {
      const path = parts.slice(0, depth + 1).join(".");
      let branch = known.get(path);
      if (!branch) {
        branch = { path, label: parts[depth] ?? "", depth, tables: 0, children: [] };
        known.set(path, branch);
        (known.get(parts.slice(0, depth).join("."))?.children ?? roots).push(branch);
      }
      branch.tables += datasets;
    }
  }
  return roots;
}

/** The branches in sight, from top to bottom: what is below an open one, or leads to what is searched for. */
export function inSight(roots: readonly Branch[], open: ReadonlySet<string>, searched: string): Branch[] {
  const found: Branch[] = [];
  const walk = (branch: Branch) => {
    if (searched && !holds(branch, searched)) return;
    found.push(branch);
    if (open.has(branch.path) || searched) for (const child of branch.children) walk(child);
  };
  for (const root of roots) walk(root);
  return found;
}

/** All that a path lies in, so that a chosen branch is in sight. */
export function above(path: string): string[] {
  const parts = path.split(".");
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join("."));
}

function holds(branch: Branch, searched: string): boolean {
  return (
    branch.path.toLowerCase().includes(searched.toLowerCase()) ||
    branch.children.some((child) => holds(child, searched))
  );
}
