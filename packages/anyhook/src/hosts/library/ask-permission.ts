import type { Moment } from '../../canon/event.ts';
import type { Outcome } from '../../canon/outcome.ts';
import type { Services } from '../../canon/services.ts';

/** What a tool asks for while it runs is put to hooks as every other question of permission. */
export const askPermission =
  (fire: (moment: Moment) => Promise<Outcome>): NonNullable<Services['permit']> =>
  async ({ permission, patterns, metadata, session, call }, signal) => {
    const title = patterns.length === 0 ? permission : `${permission}: ${patterns.join(', ')}`;
    const { proceed, reason } = await fire({
      name: 'tool.permission',
      payload: { tool: permission, input: metadata, pattern: [...patterns], title, metadata },
      ids: { session, ...(call !== undefined && { call }) },
      ...(signal && { signal }),
    });
    return { proceed, ...(reason !== '' && { reason }) };
  };
