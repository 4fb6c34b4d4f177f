import { Skeleton, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { Installation } from "@/api/types";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { KeyValue } from "@/parts/KeyValue";
import { OnlyPlatformAdmins } from "@/parts/OnlyFor";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { When } from "@/parts/When";
import { Provider } from "./Provider";
import { Workers } from "./Workers";

const installationQuery = queryOptions({
  queryKey: ["installation"],
  queryFn: () => told(api.GET("/api/v1/installation")),
});

export function ServerPage() {
  return (
    <OnlyPlatformAdmins title="Server">
      <Server />
    </OnlyPlatformAdmins>
  );
}

function Server() {
  const { data, error } = useQuery(installationQuery);
  return (
    <Page
      title="Server"
      about="What this Boathouse runs with. It is set where it is started, not here"
      actions={
        <CopyAs commands={commands(undefined, "print(control.installation.get())", curl("/installation"))} />
      }
    >
      {error && <ProblemNote problem={error} />}
      {!data && !error && <Skeleton height={320} />}
      {data && <Told told={data} />}
      <Workers />
    </Page>
  );
}

function Told({ told }: { told: Installation }) {
  const { limits } = told;
  return (
    <>
      <Section title="Control plane">
        <KeyValue
          entries={{
            Version: told.version,
            Python: told.python,
            Started: <When at={told.started_at} />,
            Lakehouse: <Place place={told.lake} none="none: it runs by itself" />,
            "Results of runs": <Place place={told.results} none="not kept" />,
            "Cookies for https alone": told.https ? "yes" : "no",
          }}
        />
      </Section>
      <Section title="Database">
        <KeyValue
          entries={{
            Kind: told.database.kind === "sqlite" ? "SQLite" : "Postgres",
            Place: <Place place={told.database.place} none="–" />,
            "Revision of its tables": told.database.revision ?? "–",
          }}
        />
      </Section>
      <Section title="Logins">
        {told.oidc ? (
          <Provider provider={told.oidc} />
        ) : (
          <Text size="sm">
            By password. With <code>--oidc FILE</code> people come by an identity provider.
          </Text>
        )}
      </Section>
      <Section title="Secrets and limits">
        <KeyValue
          entries={{
            "Variables that may hold secrets": <span className="mono">{told.secret_variables}…</span>,
            "Directory of secrets": <Place place={told.secrets_directory} none="none; --secrets sets one" />,
            "A login lasts": `${limits.session_seconds / 3600} hours`,
            "Largest request": `${limits.request_bytes / 1024 / 1024} MB`,
            "A step of a test takes at most": `${limits.step_seconds} seconds`,
          }}
        />
      </Section>
    </>
  );
}

function Place({ place, none }: { place: string | null; none: string }) {
  return place ? <span className="mono">{place}</span> : none;
}
