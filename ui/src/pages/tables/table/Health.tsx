import { Skeleton, Text } from "@mantine/core";
import { type Icon, IconAlertTriangle, IconCircleCheck, IconHelpCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { HealthFact } from "@/api/types";
import { share } from "@/parts/amounts";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { healthQuery } from "../queries";
import classes from "./Health.module.css";

const SIGNS: Record<HealthFact["verdict"], Icon> = {
  fine: IconCircleCheck,
  attention: IconAlertTriangle,
  unknown: IconHelpCircle,
};
const NAMES: Record<string, string> = {
  "small-files": "Small files",
  "delete-files": "Delete files",
  snapshots: "Snapshots",
  freshness: "Freshness",
};
const WORDS: Record<HealthFact["verdict"], string> = {
  fine: "fine",
  attention: "needs attention",
  unknown: "not judged",
};

/** How the table is, as facts with their reasons. Where maintenance gives a score, it stands here too. */
export function Health({ name, workspace }: { name: string; workspace: string }) {
  const { data: health, error } = useQuery(healthQuery(workspace, name));
  const score = health?.score;
  return (
    <Section title="Health" actions={score != null && <Text fw={600}>{share(score)}</Text>}>
      {error && <ProblemNote problem={error} />}
      {!health && !error && <Skeleton height={60} />}
      {health && (
        <ul className={classes.facts}>
          {health.facts.map((fact) => (
            <FactLine key={fact.name} fact={fact} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function FactLine({ fact }: { fact: HealthFact }) {
  const Sign = SIGNS[fact.verdict];
  return (
    <li className={classes.fact} data-verdict={fact.verdict}>
      <Sign size={16} aria-hidden />
      <div>
        <div>
          <span className={classes.name}>{NAMES[fact.name] ?? fact.name}</span>: {WORDS[fact.verdict]}
        </div>
        <Text size="sm" c="dimmed">
          {fact.because}
        </Text>
      </div>
    </li>
  );
}
