/** Types of test cases for hooks: an event and the expected outcome. */

import type { Definition } from '../events/define.ts';
import type { Fields } from '../events/effects.ts';
import type { EventName } from '../events/events.ts';
import type { Ruling } from '../events/outcome.ts';
import type { Usage } from '../events/usage.ts';

/** `unheard`: the agent does not have the event. */
export type HostVerdict = Ruling['verdict'] | 'unheard';

export interface Expectation {
  readonly verdict: Ruling['verdict'];
  /** Text that the reason must contain. */
  readonly reason?: string;
  /** The final arguments of the tool. */
  readonly input?: Fields;
  /** Fields that the final payload must contain. */
  readonly payload?: Fields;
  /** The exact flow effects, such as `resume` or `halt`. */
  readonly flow?: readonly string[];
  /** Text that a message to the model or the user must contain. */
  readonly says?: string;
  /** Expected verdicts of single agents, checked instead of the other expectations. */
  readonly hosts: Readonly<Record<string, HostVerdict>>;
}
/** Something that happened before the event of a case. Rules over time read it. */
export type EarlierStep =
  | { readonly kind: 'prompt'; readonly prompt: string }
  | {
      readonly kind: 'call';
      readonly tool: string;
      readonly input: Fields;
      readonly outcome: 'succeeded' | 'failed' | 'refused' | 'running';
      /** How long ago it was called. */
      readonly agoMs: number;
      /** It was called in another session of the same project. */
      readonly isElsewhere: boolean;
    };
export interface SuiteCase {
  readonly name: string;
  readonly line: number;
  readonly event: EventName;
  readonly payload: Fields;
  readonly earlier?: readonly EarlierStep[];
  /** What the agent has stated about its session. */
  readonly usage?: Usage;
  readonly expect: Expectation;
}
export type Subject =
  | { readonly kind: 'module'; readonly file: string }
  | { readonly kind: 'definitions'; readonly definitions: readonly Definition[] }
  | {
      readonly kind: 'command';
      readonly line: string;
      readonly as: readonly string[];
      /** The command runs only if this matcher of our dialect matches. */
      readonly match?: string;
    }
  /** The hooks of this project's settings. */
  | { readonly kind: 'settings' };

export interface Suite {
  readonly file: string;
  readonly subject: Subject;
  readonly cases: readonly SuiteCase[];
  /** `empty`: hooks run in a new empty folder, so that they cannot change the project. */
  readonly folder?: 'empty';
  /** Agents whose verdicts are shown. */
  readonly hosts: readonly string[];
}
export interface SuiteFault {
  readonly file: string;
  readonly line: number;
  readonly key: string;
  readonly message: string;
}
