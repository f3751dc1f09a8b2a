/** Plugins at work: what a host calls on them, and what they bring. */
import type { Offers } from '../../../events/offers.ts';
import type { Problem } from '../../../events/problems.ts';
import type { AnyToolDefinition, AuthHook, Config, Hooks } from './types/index.ts';

/** Hooks that take an input and an output. */
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
  /** Hands the settings to each `config` hook in turn; it may change them. Never rejects. */
  init(config: Config | Readonly<Record<string, unknown>>): Promise<void>;
  /** Each plugin's hook of that name in turn, on one `output`, which comes back. */
  trigger<K extends TriggerName, O extends OutputOf<K>>(name: K, input: InputOf<K>, output: O): Promise<O>;
  trigger<O>(name: string, input: unknown, output: O): Promise<O>;
  /** Tells every `event` hook and waits for none. */
  publish(event: unknown): void;
  /** As the plugins returned them, in order; names and kinds checked. */
  readonly hooks: readonly Hooks[];
  readonly tools: Readonly<Record<string, AnyToolDefinition>>;
  /** One for each provider: the last plugin's. */
  readonly auth: readonly AuthHook[];
  /** The same tools and logins, in the terms of every host here. */
  readonly offers: Offers;
  /** Grows when a hook goes wrong where nobody waits for it. */
  readonly problems: readonly Problem[];
  /** Calls each `dispose` hook once. Nothing may be triggered afterwards. Never rejects. */
  dispose(): Promise<void>;
}
