/** Keys by which the server knows a request that it had before: a run whose answer got lost is not started twice. */
export function onceKeys() {
  let asked: string | undefined;
  let key = "";
  return {
    /** The same as before, as long as the same is asked for and nothing was answered. */
    of(what: unknown): string {
      const text = JSON.stringify(what);
      if (text !== asked) {
        asked = text;
        key = newKey();
      }
      return key;
    },
    answered() {
      asked = undefined;
    },
  };
}

/** Not `randomUUID`, which browsers have only where the address is one of https or of this machine. */
function newKey(): string {
  const chance = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(chance, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
