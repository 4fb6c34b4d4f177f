import type { Draft } from "../definition";
import { newJobRoute } from "../routes";
import { JobEditor } from "./JobEditor";

const FIRST: Draft = {
  name: "",
  definition: {
    kind: "sql",
    description: "",
    spec: { sql: "SELECT count(*) AS orders\nFROM sales.orders\n" },
  },
};

export function NewJobPage() {
  const { workspace } = newJobRoute.useParams();
  const { tab = "form" } = newJobRoute.useSearch();
  return <JobEditor workspace={workspace} title="New job" first={FIRST} tab={tab} isNew />;
}
