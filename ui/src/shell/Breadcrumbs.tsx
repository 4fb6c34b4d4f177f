import { Link, useMatches } from "@tanstack/react-router";
import classes from "./Shell.module.css";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** What the page is called in the line above it, out of its address. */
    crumb?: (params: Record<string, string>) => string;
    /** The place it belongs to, where its address is not below that one's. */
    under?: { label: string; to: "/w/$workspace/jobs" | "/w/$workspace/connections" };
  }
}

/** Where one is: every route that has a name of its own. */
export function Breadcrumbs() {
  const matches = useMatches();
  const crumbs = matches
    .filter((match) => match.staticData.crumb)
    .flatMap(({ pathname, params, staticData: { crumb, under } }) => {
      const own = { path: pathname, label: crumb?.(params) ?? "" };
      const above = under && { path: pathOf(under.to, params), label: under.label };
      return above ? [above, own] : [own];
    });
  if (crumbs.length < 2) return null;
  return (
    <nav aria-label="Breadcrumbs">
      <ol className={classes.crumbs}>
        {crumbs.map(({ path, label }, index) => (
          <li key={path}>
            {index > 0 && <span aria-hidden>/ </span>}
            {index < crumbs.length - 1 ? (
              <Link to={path}>{label}</Link>
            ) : (
              <span aria-current="page">{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function pathOf(to: string, { workspace }: Record<string, string>): string {
  return to.replace("$workspace", encodeURIComponent(workspace ?? ""));
}
