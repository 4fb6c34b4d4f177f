import type { NamedTable } from "../editor/tables";

export type Moment = { snapshot: string } | { at: Date };

/** How an engine says as of when. An id of a snapshot is text here: a number could not hold it. */
export function clause(engine: "spark" | "trino", moment: Moment): string {
  if ("snapshot" in moment) return `${engine === "trino" ? "FOR " : ""}VERSION AS OF ${moment.snapshot}`;
  const at = moment.at.toISOString();
  if (engine === "spark") return `TIMESTAMP AS OF '${at}'`;
  return `FOR TIMESTAMP AS OF TIMESTAMP '${at.slice(0, 23).replace("T", " ")} UTC'`;
}

/** The text with the table as of then; without a clause, as it is now. */
export function withAsOf(sql: string, table: NamedTable, said: string | undefined): string {
  const rest = sql.slice(table.asOf?.to ?? table.end);
  return `${sql.slice(0, table.end)}${said ? ` ${said}` : ""}${rest}`;
}
