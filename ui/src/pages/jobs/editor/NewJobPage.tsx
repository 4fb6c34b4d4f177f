import { useState } from "react";
import { OnlyFor } from "@/parts/OnlyFor";
import { newJobRoute } from "../routes";
import { JobEditor } from "./JobEditor";
import { emptySpec } from "./kinds";

export function NewJobPage() {
  const { workspace } = newJobRoute.useParams();
  const { tab = "form", kind = "sql" } = newJobRoute.useSearch();
  const [first] = useState(() => ({
    name: "",
    definition: { kind, description: "", spec: emptySpec(kind) },
  }));
  const title = kind === "pipeline" || kind === "stream" ? "New pipeline" : "New job";
  return (
    <OnlyFor title={title} workspace={workspace} least="editor">
      <JobEditor workspace={workspace} title={title} first={first} tab={tab} />
    </OnlyFor>
  );
}
