type Config = Record<string, unknown>;

/** Where a connection leads, in one line. */
export function addressOf(config: Config): string {
  const { host, port, database, bucket, endpoint, servers, account } = config;
  if (bucket) return `${bucket} at ${withoutScheme(endpoint)}`;
  if (host) return `${host}${port ? `:${port}` : ""}${database ? `/${database}` : ""}`;
  if (Array.isArray(servers)) return servers.join(", ");
  const address = config.uri ?? config.url ?? config.address ?? endpoint ?? account;
  return withoutScheme(address);
}

function withoutScheme(address: unknown): string {
  return typeof address === "string" ? address.replace(/^[a-z]+:\/\//, "") : "";
}
