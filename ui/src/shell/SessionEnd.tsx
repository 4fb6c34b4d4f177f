import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { connection, useConnection } from "@/app/connection";
import { queryClient } from "@/app/queries";

/** When the server no longer knows who we are: to the login, and afterwards back to this very page. */
export function SessionEnd() {
  const state = useConnection();
  const navigate = useNavigate();
  const here = useRouterState({ select: (router) => router.location.href });
  useEffect(() => {
    if (state !== "logged-out") return;
    connection.answered();
    queryClient.clear();
    void navigate({ to: "/login", search: { next: here, expired: true } });
  }, [state, navigate, here]);
  return null;
}
