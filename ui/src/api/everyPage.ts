type PageOf<Item> = { items: Item[]; next?: string | null };

/** All of a list that comes in pages. For lists that people make by hand, not for those that machines fill. */
export async function everyPage<Item>(
  ask: (cursor: string | undefined) => Promise<PageOf<Item>>,
): Promise<Item[]> {
  const found: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(cursor);
    found.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor);
  return found;
}
