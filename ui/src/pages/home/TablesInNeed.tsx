import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { tablesInNeedQuery } from "./queries";
import classes from "./TablesInNeed.module.css";

const MOST = 6;

/** Tables whose own figures say that they need care, with those figures. */
export function TablesInNeed({ workspace }: { workspace: string }) {
  const { data, error } = useQuery(tablesInNeedQuery(workspace));
  return (
    <Section title="Tables that need care" flush>
      <div className={classes.list}>
        {error && !data && <ProblemNote problem={error} />}
        {!data && !error && <Skeleton height={44} m={12} width="auto" />}
        {data?.items.length === 0 && (
          <Text size="sm" c="dimmed" p={14}>
            {data.tables === 0 ? <NoTables /> : `None of ${looked(data)} does.`}
          </Text>
        )}
        {data?.items.slice(0, MOST).map((table) => (
          <div key={table.name} className={classes.table}>
            <Link
              to="/w/$workspace/tables/$name"
              params={{ workspace, name: table.name }}
              className={classes.name}
            >
              {table.name}
            </Link>
            {table.unreadable && <p className={classes.fact}>Not known: {table.unreadable}</p>}
            {table.facts.map((fact) => (
              <p key={fact.name} className={classes.fact}>
                {fact.because}
              </p>
            ))}
          </div>
        ))}
        {data && data.items.length > MOST && (
          <Text size="sm" c="dimmed" px={14} py={8}>
            And {data.items.length - MOST} more of {looked(data)}.
          </Text>
        )}
      </div>
    </Section>
  );
}

function NoTables() {
  return (
    <>
      No table is known here yet. <code>boathouse dataset sync</code> finds those of the lakehouse.
    </>
  );
}

function looked({ looked_at, tables }: { looked_at: number; tables: number }): string {
  if (looked_at < tables) return `the ${looked_at.toLocaleString("en")} tables that were written last`;
  return tables === 1 ? "1 table" : `${tables.toLocaleString("en")} tables`;
}
