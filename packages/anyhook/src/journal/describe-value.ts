/** A few words for a value that JSON cannot hold; survives values that throw when they are looked at. */
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
