/** The object that `createHooks` returns. */

import type { EventInput } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Hook } from '../events/hook.ts';
import type { Offers } from '../events/offers.ts';
import type { Outcome } from '../events/outcome.ts';
import type { Problem } from '../events/problems.ts';
import type { ExaminedEntry, Gate } from '../gather/gate.ts';
import type { Callback, CallbackSpec } from '../gather/options.ts';
import type { Policy } from '../settings/policy.ts';
import type { FirePlan } from './explain.ts';
import type { WrapTool } from './wrap-tool.ts';

export interface Hooks extends AsyncDisposable {
  /** Whether an event has listeners. A property read, so check it before you build a payload. Unknown event names throw. */
  readonly wants: Readonly<Record<EventName, boolean>>;
  /** Rejects only for an unknown event or an invalid input, never because of a hook. */
  readonly fire: <E extends EventName>(input: EventInput<E>) => Promise<Outcome<E>>;
  /** Adds a hook of the program from the next fire on. Returns a function that removes it. */
  readonly on: <E extends EventName>(event: E, callback: Callback<E> | CallbackSpec<E>) => () => void;
  readonly wrapTool: WrapTool;
  /** Reads all settings again. Called only at the user's request. */
  readonly reload: () => Promise<void>;
  /** Called automatically by `await using hooks = await createHooks(…)`. */
  readonly close: () => Promise<void>;
  /** All hooks, in the order in which they would run. */
  readonly hooks: readonly Hook[];
  /** Hooks that the user disabled. They are never called. */
  readonly disabled: readonly Hook[];
  readonly problems: readonly Problem[];
  /** The policy of the organisation that manages this machine. */
  readonly policy: Policy | undefined;
  /** Tools, commands, renderers and logins that modules provide. */
  readonly offers: Offers;
  /** The entries of the project, each with its trust state. */
  readonly examined: readonly ExaminedEntry[];
  /** Records that the user trusts the entries shown. Takes effect in the next session or after `reload`. */
  readonly grant: Gate['grant'];
  /** Lists what an event would call, without calling it. */
  readonly plan: (input: EventInput) => FirePlan;
}

type Actions = Pick<Hooks, 'wants' | 'fire' | 'on' | 'wrapTool' | 'plan' | 'grant' | 'reload' | 'close'>;
type FoundParts = Pick<Hooks, 'hooks' | 'disabled' | 'problems' | 'policy' | 'offers' | 'examined'>;

/** Members that change with a reload are read through `found`. */
export class OpenedHooks implements Hooks {
  readonly wants: Hooks['wants'];
  readonly fire: Hooks['fire'];
  readonly on: Hooks['on'];
  readonly wrapTool: Hooks['wrapTool'];
  readonly plan: Hooks['plan'];
  readonly grant: Hooks['grant'];
  readonly reload: Hooks['reload'];
  readonly close: Hooks['close'];
  readonly #found: () => FoundParts;

  /** `found` returns the result of the latest settings reading. */
  constructor(doing: Actions, found: () => FoundParts) {
    this.wants = doing.wants;
    this.fire = doing.fire;
    this.on = doing.on;
    this.wrapTool = doing.wrapTool;
    this.plan = doing.plan;
    this.grant = doing.grant;
    this.reload = doing.reload;
    this.close = doing.close;
    this.#found = found;
  }
  get hooks() {
    return this.#found().hooks;
  }
  get disabled() {
    return this.#found().disabled;
  }
  get problems() {
    return this.#found().problems;
  }
  get policy() {
    return this.#found().policy;
  }
  get offers() {
    return this.#found().offers;
  }
  get examined() {
    return this.#found().examined;
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
