import { QueryCache, QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/problem";
import { connection } from "./connection";

/** What is known of the server. Shown at once where it is known, and asked again in the background. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => connection.failed(Problem.of(error)),
    onSuccess: () => connection.answered(),
  }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: false,
      // Whether the machine is on some network says nothing about the control plane, which may be on the same machine.
      networkMode: "always",
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: "always", onError: (error) => connection.failed(Problem.of(error)) },
  },
});
