import type { LogWarningsFunction } from 'ai';
import type { Listen } from '../front/happening.ts';

/** Reports each warning of the model library once. By default it would write to stdout. */
export function sdkWarnings(listen: Listen): LogWarningsFunction {
  const reported = new Set<string>();
  return ({ warnings, model }) => {
    for (const warning of warnings) {
      const { feature, details, message } = warning as Readonly<Record<string, string | undefined>>;
      const text = [model, feature, details ?? message].filter((part) => part !== undefined).join(': ');
      if (!reported.has(text)) listen({ kind: 'notice', level: 'info', text });
      reported.add(text);
    }
  };
}
