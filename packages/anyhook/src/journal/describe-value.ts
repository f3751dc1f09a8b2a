/** A few words for what has no JSON, whatever it does when it is asked. */
export function describeValue(value: unknown): string {
  try {
    if (typeof value === 'function') return `[function ${value.name}]`;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof Error) return value.message;
    return String(value);
  } catch {
    return '[no words]';
  }
}
