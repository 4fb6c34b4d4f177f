import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/routes";

export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/account",
  component: lazyRouteComponent(() => import("./AccountPage"), "AccountPage"),
});

export const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/tokens",
  component: lazyRouteComponent(() => import("./tokens/TokensPage"), "TokensPage"),
});

export const accountRoutes = [accountRoute, tokensRoute] as const;
