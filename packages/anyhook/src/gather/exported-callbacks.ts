/** Turns the callbacks that a loaded module exports into hooks. */

import { type DefinedHooks, hooksFromCallbacks } from '../agents/claude-agent-sdk/dialect/definition.ts';
import { exportedHooks, lineOfEvent } from '../agents/claude-agent-sdk/dialect/exported-hooks.ts';
import type { Layer } from '../events/hook.ts';
import { exportedFrom, isDefinition } from '../runners/module/exported-from.mjs';

interface Module {
  readonly layer: Layer;
  /** The path shown to users. */
  readonly shown: string;
  /** The source text, used to find line numbers. */
  readonly source: string;
}

export function hooksInExports(exports: unknown, { layer, shown, source }: Module): DefinedHooks {
  const seen = new Set<unknown>(); // one object exported under two names is one set of hooks
  const found = exportedFrom(exports).flatMap(({ name, value }) => {
    const hooks = isDefinition(value) ? undefined : exportedHooks(value);
    if (hooks === undefined || seen.has(hooks)) return [];
    seen.add(hooks);
    const lineOf = (event: string) => lineOfEvent(source, event);
    return hooksFromCallbacks(hooks, { layer, file: shown, name, lineOf });
  });
  return {
    hooks: found.flatMap(({ hooks }) => hooks),
    problems: found.flatMap(({ problems }) => problems),
  };
}
