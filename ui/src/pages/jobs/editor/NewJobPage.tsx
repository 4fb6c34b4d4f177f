import { newJobRoute } from "../routes";
import { JobEditor } from "./JobEditor";
import { emptySpec } from "./kinds";

export function NewJobPage() {
  const { workspace } = newJobRoute.useParams();
  const { tab = "form", kind = "sql" } = newJobRoute.useSearch();
  const first = { name: "", definition: { kind, description: "", spec: emptySpec(kind) } };
  return (
    <JobEditor
      workspace={workspace}
      title={kind === "pipeline" ? "New pipeline" : "New job"}
      first={first}
      tab={tab}
      isNew
    />
  );
}
