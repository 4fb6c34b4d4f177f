import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { everyPage } from "@/api/everyPage";
import type { components } from "@/api/schema";
import { meQuery } from "@/app/session";

const ONE = "/api/v1/users/{name}";

export type UserChange = Partial<components["schemas"]["UserChange"]>;
export type NewUser = {
  name: string;
  display_name: string;
  email: string | null;
  is_platform_admin: boolean;
};

export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: () =>
    everyPage((cursor) => told(api.GET("/api/v1/users", { params: { query: { limit: 500, cursor } } }))),
});

export function useCreateUser() {
  return useUsersChange((body: NewUser) => told(api.POST("/api/v1/users", { body })));
}

export function useChangeUser(name: string) {
  return useUsersChange((body: UserChange) => told(api.PATCH(ONE, { params: { path: { name } }, body })));
}

export function useResetPassword(name: string) {
  return useUsersChange(() => told(api.POST(`${ONE}/password`, { params: { path: { name } } })));
}

function useUsersChange<Given, Answer>(change: (given: Given) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all([queries.invalidateQueries(usersQuery), queries.invalidateQueries(meQuery)]),
  });
}
