import { notifications } from "@mantine/notifications";
import { Problem } from "@/api/problem";
import { connection } from "@/app/connection";

/** For a change that was refused where there is no better place to say so. */
export function showProblem(error: unknown): void {
  const problem = Problem.of(error);
  connection.failed(problem);
  notifications.show({ color: "red", title: problem.message, message: problem.hint, autoClose: 12_000 });
}
