/** Agents that have no folder here: the little that is known of them. */
import type { OwnHooks } from './shared/agent.ts';

/** Programs that the doctor names, and that have no bridge yet. */
export const OTHER_PROGRAMS: readonly string[] = [];

/** Variables by which they mark what they start, and what a person is told has started it. */
export const OTHER_MARKS: Readonly<Record<string, string>> = {};

/** Hosts that call `anyhook fire --host` by themselves, and the hooks that they run by themselves. */
export const OTHER_HOSTS: Readonly<Record<string, readonly OwnHooks[]>> = { opta: ['opta'] };
