import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Job } from "@/api/types";
import { OnlyFor } from "@/parts/OnlyFor";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { jobQuery } from "../queries";
import { type EditorSearch, editJobRoute } from "../routes";
import { JobEditor } from "./JobEditor";

export function EditJobPage() {
  const { workspace, job: name } = editJobRoute.useParams();
  const { tab = "form" } = editJobRoute.useSearch();
  const title = `Edit ${name}`;
  return (
    <OnlyFor title={title} workspace={workspace} least="editor">
      <Loaded key={name} workspace={workspace} name={name} title={title} tab={tab} />
    </OnlyFor>
  );
}

type Props = { workspace: string; name: string; title: string; tab: NonNullable<EditorSearch["tab"]> };

function Loaded({ workspace, name, title, tab }: Props) {
  // Asked now, so that one does not begin with an old version.
  const { data, error, isFetchedAfterMount } = useQuery({
    ...jobQuery(workspace, name),
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnMount: "always",
  });
  if (!data || !isFetchedAfterMount)
    return <Page title={title}>{error ? <ProblemNote problem={error} /> : <Skeleton height={320} />}</Page>;
  return <Editor workspace={workspace} job={data} title={title} tab={tab} />;
}

function Editor({ workspace, job, title, tab }: Omit<Props, "name"> & { job: Job }) {
  // What somebody else saves meanwhile must not replace what is being written.
  const [first] = useState(job);
  return <JobEditor workspace={workspace} title={title} first={first} tab={tab} base={first.version} />;
}
