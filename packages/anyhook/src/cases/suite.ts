/** Cases for hooks: what is asked, and what must come of it. */
import type { Definition } from '../events/define.ts';
import type { Fields } from '../events/effects.ts';
import type { EventName } from '../events/events.ts';
import type { Ruling } from '../events/outcome.ts';

/** `unheard`: that agent has no such event. */
export type HostVerdict = Ruling['verdict'] | 'unheard';

export interface Expectation {
  readonly verdict: Ruling['verdict'];
  /** Stands somewhere in the reason. */
  readonly reason?: string;
  /** What the tool must get in the end. */
  readonly input?: Fields;
  /** Fields of the payload as they must be in the end. */
  readonly payload?: Fields;
  /** What must become of the flow (`resume`, `halt`), and nothing else. */
  readonly flow?: readonly string[];
  /** Stands somewhere in what the model or the person is told. */
  readonly says?: string;
  /** Agent → what it must make of it; others may make less of it, never more. */
  readonly hosts: Readonly<Record<string, HostVerdict>>;
}
export interface SuiteCase {
  readonly name: string;
  readonly line: number;
  readonly event: EventName;
  readonly payload: Fields;
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
  /** `empty`: the hooks are asked in a folder made for it, so that what they do to a project is done to none. */
  readonly folder?: 'empty';
  /** Whose meanings are shown. */
  readonly hosts: readonly string[];
}
export interface SuiteFault {
  readonly file: string;
  readonly line: number;
  readonly key: string;
  readonly message: string;
}
