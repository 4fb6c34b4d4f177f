import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ConnectionKind } from "@/api/types";
import { LinkButton } from "@/parts/LinkButton";
import { OnlyFor } from "@/parts/OnlyFor";
import { Page } from "@/parts/Page";
import { type NewConnection, useCreate, useTrial } from "../changes";
import { connectionKindsQuery } from "../queries";
import { newConnectionRoute } from "../routes";
import { ConnectionEditor } from "./ConnectionEditor";
import type { ConnectionDraft } from "./ConnectionForm";
import { configOf } from "./fields";
import { KindPicker } from "./KindPicker";
import { secretsOf } from "./secrets";

const TITLE = "New connection";
const EMPTY: ConnectionDraft = { name: "", description: "", config: {}, secrets: {} };

export function NewConnectionPage() {
  const { workspace } = newConnectionRoute.useParams();
  const { kind: wanted } = newConnectionRoute.useSearch();
  const { data: kinds } = useQuery(connectionKindsQuery);
  const kind = kinds?.find((one) => one.name === wanted);
  return (
    <OnlyFor title={TITLE} workspace={workspace} least="editor">
      {!kinds && (
        <Page title={TITLE}>
          <Skeleton height={320} />
        </Page>
      )}
      {kinds && !kind && <KindPicker workspace={workspace} kinds={kinds} />}
      {kind && <NewOfKind key={kind.name} workspace={workspace} kind={kind} />}
    </OnlyFor>
  );
}

function NewOfKind({ workspace, kind }: { workspace: string; kind: ConnectionKind }) {
  const create = useCreate(workspace);
  const trial = useTrial(workspace);
  const asNew = ({ name, description, config, secrets }: ConnectionDraft): NewConnection => ({
    name,
    kind: kind.name,
    description,
    config: configOf(config),
    secrets: secretsOf(secrets) as NewConnection["secrets"],
  });
  return (
    <ConnectionEditor
      title={TITLE}
      kind={kind}
      first={EMPTY}
      beside={
        <LinkButton variant="subtle" to="/w/$workspace/new-connection" params={{ workspace }} search={{}}>
          Another kind
        </LinkButton>
      }
      save={{
        label: "Create the connection",
        send: (draft) => create.mutate(asNew(draft)),
        busy: create.isPending,
        problem: create.error,
      }}
      test={{
        send: (draft) => {
          create.reset();
          trial.mutate(asNew(draft));
        },
        busy: trial.isPending,
        problem: trial.error,
        tested: trial.data,
      }}
    />
  );
}
