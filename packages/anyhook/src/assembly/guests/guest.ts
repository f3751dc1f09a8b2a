/** Dialects whose hooks are code: how a module of theirs comes to life. The same road in this process and in its own. */
import type { Hook, Layer } from '../../canon/hook.ts';
import type { Offers } from '../../canon/offers.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Services } from '../../canon/services.ts';

export interface GuestModule {
  /** What is loaded: of a project, the trusted copy. */
  readonly file: string;
  /** What people know it by. */
  readonly shown: string;
  readonly layer: Layer;
  /** Where it was asked for: a settings file, or the module itself. */
  readonly asker: { readonly file: string; readonly line: number };
  /** What the settings hand to it. */
  readonly options?: unknown;
  /** Not a module of hooks: one that defines tools, or where an installed package starts. */
  readonly as?: 'tools' | 'package';
}
export interface GuestTerms {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly services: Services;
  /** For loading and starting, each. */
  readonly deadlineMs: number;
  /** For one handler of a module, where its dialect has no other number; and for how long its own process may be deaf. */
  readonly handlerMs?: number;
}
export interface Brought {
  /** Each with a way of kind `call`: its function gets what the dialect's `payload.write` wrote. */
  readonly hooks: readonly Hook[];
  readonly offers: Offers;
  readonly problems: readonly Problem[];
  /** The session is over. */
  dispose?(): Promise<void>;
}
/** Never rejects: what does not load is a problem, and a hook that is `missing` where it may have been a guard. */
export type Bring = (module: GuestModule, terms: GuestTerms) => Promise<Brought>;
