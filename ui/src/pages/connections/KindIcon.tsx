import {
  type Icon,
  IconBolt,
  IconBucket,
  IconChartBar,
  IconDatabase,
  IconFlame,
  IconMail,
  IconMountain,
  IconPlug,
  IconSitemap,
  IconSnowflake,
  IconTopologyStar3,
  IconWebhook,
} from "@tabler/icons-react";

const ICONS: Record<string, Icon> = {
  clickhouse: IconChartBar,
  "iceberg-rest": IconMountain,
  kafka: IconTopologyStar3,
  openlineage: IconSitemap,
  postgres: IconDatabase,
  s3: IconBucket,
  smtp: IconMail,
  snowflake: IconSnowflake,
  spark: IconFlame,
  trino: IconBolt,
  webhook: IconWebhook,
};

/** A sign for a kind of connection; one that is not known here has a plug. */
export function KindIcon({ kind, size = 17 }: { kind: string; size?: number }) {
  const Sign = ICONS[kind] ?? IconPlug;
  return <Sign size={size} stroke={1.7} aria-hidden />;
}
