import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "@/app/routes";
import { text } from "@/app/search";

type LoginSearch = { next?: string; expired?: boolean };

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: (search: Record<string, unknown>): LoginSearch => ({
    next: ownPath(text(search.next)),
    expired: search.expired === true || undefined,
  }),
  component: lazyRouteComponent(() => import("./LoginPage"), "LoginPage"),
});

export const loginRoutes = [loginRoute] as const;

/** Only addresses of this server: a link must not send whoever logs in to somebody else's page. */
export function ownPath(path: string | undefined): string | undefined {
  return path && /^\/(?![/\\])/.test(path) ? path : undefined;
}
