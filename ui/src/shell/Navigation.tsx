import { Link } from "@tanstack/react-router";
import type { Place } from "./places";
import classes from "./Shell.module.css";
import { useCurrentWorkspace } from "./useCurrentWorkspace";
import { usePlaces } from "./usePlaces";

export function Navigation() {
  const workspace = useCurrentWorkspace();
  const seen = usePlaces();
  const groups = [...new Set(seen.map((place) => place.group))];
  return (
    <nav aria-label="Main">
      {groups.map((group) => (
        <div key={group ?? ""}>
          {group && <div className={classes.group}>{group}</div>}
          {seen
            .filter((place) => place.group === group)
            .map((place) => (
              <PlaceLink key={place.label} place={place} workspace={workspace} />
            ))}
        </div>
      ))}
    </nav>
  );
}

function PlaceLink({ place, workspace }: { place: Place; workspace: string | undefined }) {
  const Icon = place.icon;
  return (
    <Link
      to={place.to as "/w/$workspace"}
      params={{ workspace: workspace ?? "" }}
      className={classes.place}
      activeOptions={{ exact: place.exact ?? false, includeSearch: false }}
    >
      <Icon size={17} stroke={1.7} aria-hidden />
      {place.label}
    </Link>
  );
}
