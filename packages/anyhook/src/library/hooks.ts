/** What `createHooks` hands out. */
import type { EventInput } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Hook } from '../events/hook.ts';
import type { Offers } from '../events/offers.ts';
import type { Outcome } from '../events/outcome.ts';
import type { Problem } from '../events/problems.ts';
import type { Policy } from '../settings/policy.ts';
import type { ExaminedEntry, Gate } from '../gather/gate.ts';
import type { Callback, CallbackSpec } from '../gather/options.ts';
import type { FirePlan } from './explain.ts';
import type { WrapTool } from './wrap-tool.ts';

export interface Hooks extends AsyncDisposable {
  /** Does anybody listen? As cheap as a property: ask before building a payload. A name that no event has throws. */
  readonly wants: Readonly<Record<EventName, boolean>>;
  /** Never rejects because of a hook; only for an event that does not exist, or whose parts are misspelt or of the wrong kind. */
  readonly fire: <E extends EventName>(input: EventInput<E>) => Promise<Outcome<E>>;
  /** One more hook of the program, from the next fire on. Returns what takes it away again. */
  readonly on: <E extends EventName>(event: E, callback: Callback<E> | CallbackSpec<E>) => () => void;
  readonly wrapTool: WrapTool;
  /** Reads all settings again: by the person's wish, never by itself. */
  readonly reload: () => Promise<void>;
  /** `await using hooks = await createHooks(…)` does it by itself. */
  readonly close: () => Promise<void>;
  /** Every hook found, in the order in which it would run. */
  readonly hooks: readonly Hook[];
  /** Found, and switched off by the person: never asked. */
  readonly disabled: readonly Hook[];
  readonly problems: readonly Problem[];
  /** What the organisation that keeps this machine lays down. */
  readonly policy: Policy | undefined;
  /** Tools, commands, renderers and logins that modules bring. */
  readonly offers: Offers;
  /** What the project asked for, and whether it is trusted. */
  readonly examined: readonly ExaminedEntry[];
  /** The person said yes to what was shown: it counts from the next session or `reload`. */
  readonly grant: Gate['grant'];
  /** What would be asked about an event, without asking. */
  readonly plan: (input: EventInput) => FirePlan;
}

type Actions = Pick<Hooks, 'wants' | 'fire' | 'on' | 'wrapTool' | 'plan' | 'grant' | 'reload' | 'close'>;
type FoundParts = Pick<Hooks, 'hooks' | 'disabled' | 'problems' | 'policy' | 'offers' | 'examined'>;

/** The members that change with a reload are read through `found`. */
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

  /** `found`: what the last reading of the settings came to. */
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
