/** Whether a job's spec names the connection, itself or in one of a flow's tasks. */
export function names(spec: unknown, connection: string): boolean {
  if (Array.isArray(spec)) return spec.some((one) => names(one, connection));
  if (typeof spec !== "object" || spec === null) return false;
  return Object.entries(spec).some(([key, value]) =>
    key === "connection" ? value === connection : names(value, connection),
  );
}
