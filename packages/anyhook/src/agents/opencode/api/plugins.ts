/** The interface of loaded plugins: what a host calls, and what they offer. */

import type { Offers } from '../../../events/offers.ts';
import type { Problem } from '../../../events/problems.ts';
import type { AnyToolDefinition, AuthHook, Config, Hooks } from './types/index.ts';

/** Hooks with an input and an output. */
export type TriggerName = {
  [K in keyof Hooks]-?: NonNullable<Hooks[K]> extends (input: never, output: never) => unknown
    ? Parameters<NonNullable<Hooks[K]>> extends [unknown, unknown]
      ? K
      : never
    : never;
}[keyof Hooks];
type InputOf<K extends TriggerName> = Parameters<Extract<Hooks[K], (...args: never) => unknown>>[0];
type OutputOf<K extends TriggerName> = Parameters<Extract<Hooks[K], (...args: never) => unknown>>[1];

export interface Plugins {
  /** Passes the settings to each `config` hook in turn, which may change them. Never rejects. */
  init(config: Config | Readonly<Record<string, unknown>>): Promise<void>;
  /** Calls each plugin's hook of that name in turn, on one `output`, and returns it. */
  trigger<K extends TriggerName, O extends OutputOf<K>>(name: K, input: InputOf<K>, output: O): Promise<O>;
  trigger<O>(name: string, input: unknown, output: O): Promise<O>;
  /** Notifies every `event` hook without waiting. */
  publish(event: unknown): void;
  /** As returned by the plugins, in order, with names and kinds checked. */
  readonly hooks: readonly Hooks[];
  readonly tools: Readonly<Record<string, AnyToolDefinition>>;
  /** One per provider: the last plugin's. */
  readonly auth: readonly AuthHook[];
  /** The same tools and logins in the format of all hosts here. */
  readonly offers: Offers;
  /** Grows when a hook fails while nobody awaits it. */
  readonly problems: readonly Problem[];
  /** Calls each `dispose` hook once. Nothing may be triggered afterwards. Never rejects. */
  dispose(): Promise<void>;
}
