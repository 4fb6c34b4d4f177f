/** What a browser remembers of its user. Private windows may refuse to remember anything, which is no error. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`boathouse-${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`boathouse-${key}`, value);
  } catch {
    // The next visit begins anew.
  }
}
