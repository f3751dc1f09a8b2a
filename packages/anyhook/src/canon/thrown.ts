/** The message of what was thrown, which can be anything, also something that throws when it is looked at. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return 'something that cannot be shown was thrown';
  }
}
