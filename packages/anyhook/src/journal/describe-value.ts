/** Describes a value that JSON cannot represent. Handles values that throw when they are read. */
export function describeValue(value: unknown): string {
  try {
    if (typeof value === 'function') return `[function ${value.name}]`;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof Error) return value.message;
    return String(value);
  } catch {
    return '[unprintable]';
  }
}
