/** Wrong use: one line that says what, where and what to do; exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
