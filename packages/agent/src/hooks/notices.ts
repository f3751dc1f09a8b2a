import type { Services } from 'anyhook';
import type { Listen } from '../front/happening.ts';

const LEVELS = { debug: null, info: 'info', warn: 'warning', error: 'error' } as const;

/** What modules log, and what they print in processes of their own, is a notice to the person. */
export const noticesTo =
  (listen: Listen): NonNullable<Services['log']> =>
  (said, text) => {
    const level = LEVELS[said];
    if (level !== null) listen({ kind: 'notice', level, text });
  };
