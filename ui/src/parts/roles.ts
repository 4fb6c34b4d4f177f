import type { Role } from "@/api/types";

/** What each may, as the server has it: each also what those before it may. */
export const ROLE_MAY: Record<Role, string> = {
  viewer: "sees everything in the workspace but secrets",
  runner: "also starts and stops runs, and asks questions in SQL",
  editor: "also changes jobs, connections, datasets and notifications",
  admin: "also changes members and the workspace, and reads its audit",
};

export const ROLES = Object.keys(ROLE_MAY) as Role[];
