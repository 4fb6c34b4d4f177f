/** What the server says, with what it puts between backticks as code. */
export function Words({ children }: { children: string }) {
  return children.split(/`([^`]+)`/).map((piece, place) =>
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name than their place.
      <code key={place}>{piece}</code>
    ) : (
      piece
    ),
  );
}
