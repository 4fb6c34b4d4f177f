import type { Commands } from "@/parts/CopyAs";
import { commands, curl, quoted } from "@/parts/commands";
import type { Tab } from "../desk/desk";
import { questionOf } from "../useAsking";

/** What a tab asks, to take along. */
export function commandsOf(workspace: string, tab: Tab): Commands {
  const { sql, connection, parameters, values, rows } = questionOf(tab, tab.sql);
  const typed = parameters.map(
    ({ name, type }) => `--value ${quoted(`${name}:${type}=${String(values[name] ?? "")}`)}`,
  );
  const cli = [
    `boathouse query run ${quoted(sql)}`,
    `--workspace ${workspace}`,
    ...(connection ? [`--connection ${connection}`] : []),
    ...typed,
    `--limit ${rows}`,
  ].join(" ");
  const more = [
    ...(connection ? [`connection=${literal(connection)}`] : []),
    ...(parameters.length > 0
      ? [
          `parameters=${literal(parameters.map(({ name, type }) => ({ name, type })))}`,
          `values=${literal(values)}`,
        ]
      : []),
    `rows=${rows}`,
  ];
  const line = `print(control.queries.ask(${literal(workspace)}, ${literal(sql)}, ${more.join(", ")}))`;
  return commands(cli, line, curl(`/workspaces/${workspace}/queries`, "POST", asked()));

  function asked() {
    return {
      sql,
      rows,
      ...(connection ? { connection } : {}),
      ...(parameters.length > 0 ? { parameters, values } : {}),
    };
  }
}

/** JSON is Python, but for three words of it. */
function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value === null || value === undefined) return "None";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value).map(([name, one]) => `${literal(name)}: ${literal(one)}`);
    return `{${entries.join(", ")}}`;
  }
  return JSON.stringify(value);
}
