import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { Role } from "@/api/types";

export type NewToken = { name: string; role: Role; workspace: string | null; days: number };

export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  queryFn: () => told(api.GET("/api/v1/tokens")),
});

export function useCreateToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewToken) => told(api.POST("/api/v1/tokens", { body })),
    onSuccess: () => queries.invalidateQueries(tokensQuery),
  });
}

export function useRevoke() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      told(api.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id: id } } })),
    onSettled: () => queries.invalidateQueries(tokensQuery),
  });
}
