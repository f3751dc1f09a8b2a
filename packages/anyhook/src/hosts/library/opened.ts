import type { Hooks } from './hooks.ts';

type Looked = 'hooks' | 'disabled' | 'problems' | 'offers' | 'examined';

/** What `createHooks` hands out. A class, because an object literal with getters is read as slowly as a hash table. */
export class OpenedHooks implements Hooks {
  readonly wants: Hooks['wants'];
  readonly fire: Hooks['fire'];
  readonly wrapTool: Hooks['wrapTool'];
  readonly plan: Hooks['plan'];
  readonly grant: Hooks['grant'];
  readonly reload: Hooks['reload'];
  readonly close: Hooks['close'];
  readonly #now: () => Pick<Hooks, Looked>;

  /** `now`: what the last reading of the settings came to. */
  constructor(doing: Omit<Hooks, Looked>, now: () => Pick<Hooks, Looked>) {
    this.wants = doing.wants;
    this.fire = doing.fire;
    this.wrapTool = doing.wrapTool;
    this.plan = doing.plan;
    this.grant = doing.grant;
    this.reload = doing.reload;
    this.close = doing.close;
    this.#now = now;
  }
  get hooks() {
    return this.#now().hooks;
  }
  get disabled() {
    return this.#now().disabled;
  }
  get problems() {
    return this.#now().problems;
  }
  get offers() {
    return this.#now().offers;
  }
  get examined() {
    return this.#now().examined;
  }
}
