import { Problem } from "@/api/problem";

/** What the server says is wrong with a field, for the place beside it. */
export function fieldProblems(error: unknown): (field: string) => string | undefined {
  const fields = error ? Problem.of(error).fields : {};
  return (field) => {
    const words = fields[field];
    return words && words.charAt(0).toUpperCase() + words.slice(1);
  };
}
