/** The message of what was thrown, which can be anything, also something that throws when it is looked at. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return 'something that cannot be shown was thrown';
  }
}

/** With its cause, where there is one: `fetch failed` alone says nothing. */
export function withCause(thrown: unknown): string {
  const { cause } = (thrown ?? {}) as { cause?: { message?: string; code?: string } };
  const deeper = cause?.message || cause?.code;
  return deeper ? `${thrownText(thrown)} (${deeper})` : thrownText(thrown);
}
