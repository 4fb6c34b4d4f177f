import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { showProblem } from "@/parts/showProblem";
import { newTab, type Tab, tabOfQuery, tabOfSaved } from "./desk/desk";
import { sqlName } from "./editor/tables";
import { askedQuery, savedQuery } from "./queries";
import { type SqlSearch, sqlRoute } from "./routes";

/** Opens what the address asks for, and takes it out of the address: a reload is not to open it again. */
export function useOpening(workspace: string, open: (tab: Tab) => void): void {
  const { sql, table, query, asked, view } = sqlRoute.useSearch();
  const queries = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    if (!sql && !table && !query && !asked) return;
    let isWanted = true;
    const found = async (wanted: SqlSearch): Promise<Tab> => {
      if (wanted.asked) return tabOfQuery(await queries.fetchQuery(askedQuery(workspace, wanted.asked)));
      if (wanted.query) return tabOfSaved(await queries.fetchQuery(savedQuery(workspace, wanted.query)));
      return newTab({ sql: wanted.sql ?? `SELECT * FROM ${sqlName(wanted.table ?? "")} LIMIT 100` });
    };
    found({ sql, table, query, asked })
      .then(
        (tab) => isWanted && open(tab),
        (problem) => isWanted && showProblem(problem),
      )
      .finally(() => {
        const params = { workspace };
        if (isWanted) void navigate({ to: "/w/$workspace/sql", params, search: { view }, replace: true });
      });
    return () => {
      isWanted = false;
    };
  }, [sql, table, query, asked, view, workspace, queries, navigate, open]);
}
