import { Link, useMatches } from "@tanstack/react-router";
import classes from "./Shell.module.css";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** What the page is called in the line above it, out of its address. */
    crumb?: (params: Record<string, string>) => string;
  }
}

/** Where one is: every route that has a name of its own. */
export function Breadcrumbs() {
  const matches = useMatches();
  const crumbs = matches
    .filter((match) => match.staticData.crumb)
    .map((match) => ({ path: match.pathname, label: match.staticData.crumb?.(match.params) ?? "" }));
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
