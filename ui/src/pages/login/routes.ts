import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "@/app/routes";
import { ownPath, text } from "@/app/search";

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
