import { isPlain } from '../../events/changes.ts';
import type { Outcome } from '../../events/outcome.ts';

/** Variables that hooks have set for later commands of a session. OpenCode reads them before it starts a shell. */
export class GivenVariables {
  readonly #bySession = new Map<string, Record<string, unknown>>();
  readonly #underWay = new Map<string, Promise<unknown>>();

  take({ given }: Outcome, session: string): void {
    const all = given.flatMap(({ what, value }) => (what === 'environment' && isPlain(value) ? [value] : []));
    if (all.length > 0) this.#bySession.set(session, Object.assign({}, this.#bySession.get(session), ...all));
  }
  /** OpenCode does not wait for its bus, so the first shell of a session waits for variables set at its start. */
  await(fired: Promise<unknown>, session: string): void {
    const both = Promise.allSettled([this.#underWay.get(session), fired]).then(() => {
      if (this.#underWay.get(session) === both) this.#underWay.delete(session);
    });
    this.#underWay.set(session, both);
  }
  async layOver(output: Record<string, unknown>, session: unknown): Promise<void> {
    const key = typeof session === 'string' ? session : '';
    await this.#underWay.get(key);
    if (isPlain(output['env'])) Object.assign(output['env'], this.#bySession.get(key));
  }
}
