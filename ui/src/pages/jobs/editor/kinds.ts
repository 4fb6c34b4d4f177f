import type { Language } from "@/parts/code/languages";

/** The text that is the heart of a kind, where it has one. */
export const MAIN: Record<string, { field: string; language: Language; label: string } | undefined> = {
  sql: { field: "sql", language: "sql", label: "Statements, with ; between them. Parameters go in as :name" },
  spark: { field: "code", language: "python", label: "The program. Arguments may hold {{name}}" },
};

/** What a new job of the kind begins with. */
export function emptySpec(kind: string): Record<string, unknown> {
  if (kind === "sql") return { sql: "SELECT count(*) AS orders\nFROM sales.orders\n" };
  if (kind === "spark") {
    return {
      code: "from pyspark.sql import SparkSession\n\nspark = SparkSession.builder.getOrCreate()\nprint(spark.range(10).count())\n",
    };
  }
  if (kind === "pipeline") {
    return {
      pipeline: {
        pipeline: "orders",
        source: { path: "s3://lake/landing/orders", format: "csv" },
        schema: { id: "int" },
        target: { table: "sales.orders" },
      },
    };
  }
  if (kind === "stream") {
    return {
      pipeline: {
        pipeline: "meters",
        source: { kind: "postgres", tables: ["public.meters", "public.readings"] },
        bronze: { table: "meters_log.changes", every: "10s" },
        silver: { namespace: "meters", every: "30s" },
        speed: { database: "meters", every: "500ms" },
        aims: { events_per_second: 20000, freshness: "5s", lag: 100000 },
      },
    };
  }
  if (kind === "flow") {
    return {
      tasks: [
        { name: "first", kind: "sql", spec: { sql: "SELECT 1" } },
        { name: "second", kind: "sql", spec: { sql: "SELECT 2" }, after: ["first"] },
      ],
    };
  }
  return {};
}
