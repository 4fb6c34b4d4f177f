import { Outlet } from "@tanstack/react-router";
import { useReconnection } from "./useReconnection";

/** Around every page, with or without a login. */
export function Root() {
  useReconnection();
  return <Outlet />;
}
