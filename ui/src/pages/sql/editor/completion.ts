import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { QueryClient } from "@tanstack/react-query";
import type { Dataset } from "@/api/types";
import { datasetsQuery } from "../queries";
import { type NamedTable, sqlName, tablesIn } from "./tables";

const WORD = /[\w.`]*/;
const NOT_CODE = /Comment|String/;

/** Tables of the workspace, and the columns of those that the text names. Keywords come from the language. */
export function catalogCompletion(workspace: string, queries: QueryClient): CompletionSource {
  const find = (text?: string) => queries.fetchQuery(datasetsQuery(workspace, text));
  return async (context) => {
    const word = context.matchBefore(WORD);
    if (!word || (word.text === "" && !context.explicit) || !isCode(context)) return null;
    const typed = word.text.replaceAll("`", "");
    const named = tablesIn(context.state.doc.toString());
    try {
      const known = await datasets(find, typed, named);
      return offered(word.from, typed, named, known);
    } catch {
      // Whoever writes goes on without it; that the server is away is said elsewhere.
      return null;
    }
  };
}

function isCode(context: CompletionContext): boolean {
  return !NOT_CODE.test(syntaxTree(context.state).resolveInner(context.pos, -1).name);
}

type Find = (text?: string) => Promise<{ items: Dataset[]; next?: string | null }>;

/** All of them where there are few; of many, those that the word and the named tables lead to. */
async function datasets(find: Find, typed: string, named: readonly NamedTable[]): Promise<Dataset[]> {
  const first = await find();
  if (!first.next) return first.items;
  const words = [typed.slice(0, 100), ...named.map((table) => table.name)].filter((word) => word !== "");
  const more = await Promise.all(words.map((word) => find(word)));
  return more.flatMap((page) => page.items);
}

export function offered(
  from: number,
  typed: string,
  named: readonly NamedTable[],
  known: readonly Dataset[],
): CompletionResult {
  const [before, isDotted] = [typed.slice(0, typed.lastIndexOf(".")), typed.includes(".")];
  const owner = isDotted ? ownerOf(before, named) : undefined;
  const columnsOf = (name: string) => known.find((one) => one.name === name)?.columns ?? [];
  if (owner) {
    const options = columnsOf(owner).map((column) => asColumn(column, owner));
    if (options.length > 0) return { from: from + before.length + 1, options, validFor: /^[\w`]*$/ };
  }
  const columns = isDotted
    ? []
    : named.flatMap(({ name }) => columnsOf(name).map((one) => asColumn(one, name)));
  const tables = known.map(asTable);
  return { from, options: unique([...columns, ...tables]), validFor: /^[\w.`]*$/ };
}

/** The table that stands before a dot, by its alias, its name, or the last part of that. */
function ownerOf(before: string, named: readonly NamedTable[]): string | undefined {
  const meant = before.toLowerCase();
  const found = named.find(
    ({ name, alias }) =>
      alias?.toLowerCase() === meant ||
      name.toLowerCase() === meant ||
      name.toLowerCase().endsWith(`.${meant}`),
  );
  return found?.name;
}

function asColumn(name: string, table: string): Completion {
  return { label: sqlName(name), type: "property", detail: table, boost: 2 };
}

function asTable({ name, description, columns }: Dataset): Completion {
  const detail = columns.length > 0 ? `${columns.length} columns` : undefined;
  return { label: sqlName(name), type: "class", detail, info: description || undefined, boost: 1 };
}

function unique(options: Completion[]): Completion[] {
  return [...new Map(options.map((one) => [`${one.type} ${one.label}`, one])).values()];
}
