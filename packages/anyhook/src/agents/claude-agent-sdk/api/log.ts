/** Logs events of a service and its protocol that are no answers: a stack, a dropped line, a late result. */
export interface Logger {
  error?(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn?(message: string, details?: Readonly<Record<string, unknown>>): void;
}
export type WarnLog = (
  level: 'error' | 'warn',
  message: string,
  details?: Readonly<Record<string, unknown>>,
) => void;

/** A logger that throws must not affect a hook. */
export function logTo(logger: Logger | undefined): WarnLog {
  return (level, message, details = {}) => {
    try {
      logger?.[level]?.(message, details);
    } catch {
      // nobody is left to notify
    }
  };
}
