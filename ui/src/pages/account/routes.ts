import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/routes";
import { ownPath, text } from "@/app/search";

export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/account",
  /** Where one wanted to be, before the password had to be changed. */
  validateSearch: (search: Record<string, unknown>): { next?: string } => ({
    next: ownPath(text(search.next)),
  }),
  component: lazyRouteComponent(() => import("./AccountPage"), "AccountPage"),
});

export const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tokens",
  component: lazyRouteComponent(() => import("./tokens/TokensPage"), "TokensPage"),
});

export const accountRoutes = [accountRoute, tokensRoute] as const;
