/** Returns the message of a thrown value. It can be anything, even an object that throws when it is read. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return 'an unprintable value was thrown';
  }
}

/** Adds the cause, because `fetch failed` alone does not help. */
export function withCause(thrown: unknown): string {
  const { cause } = (thrown ?? {}) as { cause?: { message?: string; code?: string } };
  const deeper = cause?.message || cause?.code;
  return deeper ? `${thrownText(thrown)} (${deeper})` : thrownText(thrown);
}
