import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Connection, ConnectionKind } from "@/api/types";
import { OnlyFor } from "@/parts/OnlyFor";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { type Change, useChange, useTrialOfChange } from "../changes";
import { connectionKindsQuery, connectionQuery } from "../queries";
import { editConnectionRoute } from "../routes";
import { ConnectionEditor } from "./ConnectionEditor";
import type { ConnectionDraft } from "./ConnectionForm";
import { configOf } from "./fields";
import { secretsOf } from "./secrets";

export function EditConnectionPage() {
  const { workspace, connection: name } = editConnectionRoute.useParams();
  // Asked once: what somebody else saves meanwhile must not replace what is being written.
  const { data: saved, error } = useQuery({
    ...connectionQuery(workspace, name),
    refetchOnWindowFocus: false,
  });
  const { data: kinds } = useQuery(connectionKindsQuery);
  const title = `Edit ${name}`;
  const kind = kinds?.find((one) => one.name === saved?.kind);
  return (
    <OnlyFor title={title} workspace={workspace} least="editor">
      {saved && kind ? (
        <Edited key={saved.updated_at} workspace={workspace} saved={saved} kind={kind} title={title} />
      ) : (
        <Page title={title}>{error ? <ProblemNote problem={error} /> : <Skeleton height={320} />}</Page>
      )}
    </OnlyFor>
  );
}

type Props = { workspace: string; saved: Connection; kind: ConnectionKind; title: string };

function Edited({ workspace, saved, kind, title }: Props) {
  const change = useChange(workspace, saved.name);
  const trial = useTrialOfChange(workspace, saved.name);
  const first: ConnectionDraft = {
    name: saved.name,
    description: saved.description,
    config: saved.config,
    secrets: {},
  };
  const asChange = ({ description, config, secrets }: ConnectionDraft): Change => ({
    description,
    config: configOf(config),
    secrets: secretsOf(secrets),
  });
  return (
    <ConnectionEditor
      title={title}
      kind={kind}
      first={first}
      saved={saved}
      save={{
        label: "Save",
        send: (draft) => change.mutate(asChange(draft)),
        busy: change.isPending,
        problem: change.error,
      }}
      test={{
        send: (draft) => {
          change.reset();
          trial.mutate(asChange(draft));
        },
        busy: trial.isPending,
        problem: trial.error,
        tested: trial.data,
      }}
    />
  );
}
