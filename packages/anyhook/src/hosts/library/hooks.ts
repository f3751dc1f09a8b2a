import type { Event, Moment } from '../../canon/event.ts';
import type { EventName } from '../../canon/events.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Offers } from '../../canon/offers.ts';
import type { Outcome } from '../../canon/outcome.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Examined, Gate } from '../../assembly/gate.ts';
import type { WrapTool } from './wrap-tool.ts';

export interface Hooks {
  /** Does anybody listen? As cheap as a property: ask before building a payload. */
  readonly wants: Readonly<Record<EventName, boolean>>;
  /** Never rejects because of a hook. */
  readonly fire: <E extends EventName>(moment: Moment<E>) => Promise<Outcome>;
  readonly wrapTool: WrapTool;
  /** Reads all settings again: by the person's wish, never by itself. */
  readonly reload: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** Every hook found, in the order in which it would run. */
  readonly hooks: readonly Hook[];
  /** Found, and switched off by the person: never asked. */
  readonly disabled: readonly Hook[];
  readonly problems: readonly Problem[];
  /** Tools, commands, renderers and logins that modules bring. */
  readonly offers: Offers;
  /** What the project asked for, and whether it is trusted. */
  readonly examined: readonly Examined[];
  /** The person said yes to what was shown: it counts from the next session or `reload`. */
  readonly grant: Gate['grant'];
  /** What would be asked about a moment, without asking. */
  readonly plan: (moment: Moment) => Explained;
}

export interface Explained {
  readonly event: Event;
  readonly asked: readonly {
    readonly hook: Hook;
    readonly as: EventName;
    readonly matches: boolean;
    readonly why: string;
    /** The matcher cannot tell, and why: its policy decides. */
    readonly opaque?: string;
  }[];
  /** Hooks of this event whose matcher does not fit its subject. */
  readonly unmatched: readonly string[];
}
