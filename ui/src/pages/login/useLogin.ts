import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { api, told } from "@/api/client";
import { Problem } from "@/api/problem";
import { connection } from "@/app/connection";
import { queryClient } from "@/app/queries";

type Given = { name: string; password: string };

/** Logs in and goes on to where one wanted to be. */
export function useLogin(next: string) {
  const router = useRouter();
  return useMutation({
    mutationFn: (body: Given) => told(api.POST("/api/v1/login", { body })),
    // A wrong password is no session that ended.
    onError: (error) => {
      const problem = Problem.of(error);
      if (problem.isAway) connection.failed(problem);
    },
    onSuccess: () => {
      queryClient.clear();
      router.history.push(next);
    },
  });
}
