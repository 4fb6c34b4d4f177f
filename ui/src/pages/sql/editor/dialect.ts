import { SQLDialect, SQLite } from "@codemirror/lang-sql";

// What the others do not know and people write here every day. SQLite's words are the standard's, and few more.
const WORDS =
  "overwrite partitioned tblproperties namespace namespaces show tables describe extended explain cache refresh qualify " +
  "lateral tablesample version timestamp using merge matched replace call optimize anti semi pivot unpivot ilike rlike";

/** SQL as Spark and Trino have it: names in backticks, text in either quotes. */
export const lakeSql = SQLDialect.define({
  keywords: `${SQLite.spec.keywords ?? ""} ${WORDS}`,
  types: `${SQLite.spec.types ?? ""} string long bigint struct map array variant tinyint`,
  identifierQuotes: "`",
  doubleQuotedStrings: true,
  operatorChars: "*+-%<>!=&|~^/:",
});
