import { queryOptions } from "@tanstack/react-query";
import { api, told } from "@/api/client";

// The server asks them no more often than this, whoever asks it.
const SERVICES = 5_000;
// Tables change slowly, and a catalog is asked for them.
const TABLES = 60_000;

export const servicesQuery = queryOptions({
  queryKey: ["services"],
  queryFn: async () => {
    const began = performance.now();
    const services = await told(api.GET("/api/v1/services"));
    return { services, milliseconds: Math.round(performance.now() - began) };
  },
  refetchInterval: SERVICES,
});

export function tablesInNeedQuery(workspace: string) {
  return queryOptions({
    queryKey: ["datasets", workspace, "in-need"],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/tables-in-need", { params: { path: { workspace } } })),
    refetchInterval: TABLES,
  });
}
