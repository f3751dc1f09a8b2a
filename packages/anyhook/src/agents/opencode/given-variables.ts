/** What hooks gave the later commands of a session: OpenCode asks for it before every shell. */
import { isPlain } from '../../events/changes.ts';
import type { Outcome } from '../../events/outcome.ts';

export function givenVariables() {
  const bySession = new Map<string, Record<string, unknown>>();
  const underWay = new Map<string, Promise<unknown>>();

  return {
    take({ given }: Outcome, session: string): void {
      const all = given.flatMap(({ what, value }) =>
        what === 'environment' && isPlain(value) ? [value] : [],
      );
      if (all.length > 0) bySession.set(session, Object.assign({}, bySession.get(session), ...all));
    },
    /** OpenCode does not wait for its bus: the first shell of a session waits for what its start gives. */
    await(fired: Promise<unknown>, session: string): void {
      const both = Promise.allSettled([underWay.get(session), fired]).then(() => {
        if (underWay.get(session) === both) underWay.delete(session);
      });
      underWay.set(session, both);
    },
    async layOver(output: Record<string, unknown>, session: unknown): Promise<void> {
      const key = typeof session === 'string' ? session : '';
      await underWay.get(key);
      if (isPlain(output['env'])) Object.assign(output['env'], bySession.get(key));
    },
  };
}
