import type { Sort } from "@/parts/list/columns";

export const FILE_ORDERS = ["path", "rows", "bytes", "-path", "-rows", "-bytes"] as const;
export const PARTITION_ORDERS = [
  "name",
  "files",
  "rows",
  "bytes",
  "small",
  "-name",
  "-files",
  "-rows",
  "-bytes",
  "-small",
] as const;

/** An order as the address and the server have it: a column, with a minus in front if it goes down. */
export function asSort(order: string | undefined): Sort | undefined {
  if (!order) return undefined;
  return order.startsWith("-") ? { by: order.slice(1), descending: true } : { by: order, descending: false };
}

export function asText(sort: Sort | undefined): string | undefined {
  return sort && (sort.descending ? `-${sort.by}` : sort.by);
}
