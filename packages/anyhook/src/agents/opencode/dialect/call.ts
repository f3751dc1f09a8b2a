/** A tool call for plugins: with OpenCode's names, and with both names where its documentation differs. */

import { isPlain } from '../../../events/changes.ts';
import type { Change, Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { callIn, changesIn, namesIn } from '../../../events/lexicon.ts';
import type { ToolName } from '../../../events/tools.ts';
import { tools } from './tools.ts';

export interface HeardCall {
  readonly tool: string;
  readonly args: Fields;
}

export function openCodeCallOf(event: Event): HeardCall {
  const { tool, input } = callIn(tools, event);
  return { tool, args: input };
}

export const openCodeToolName = (tool: string): string => namesIn(tools, tool)[0] ?? tool;

/**
 * Returns the plugin's changes to the arguments, made in place or by replacement; undefined: there are no arguments.
 */
export function argsChanges(after: unknown, event: Event): Change[] | undefined {
  if (!isPlain(after)) return undefined;
  return changesIn(tools, event, alike(after, event));
}

/** A replacement may contain only one of an argument's two names, which does not remove the argument. */
function alike(after: Fields, event: Event): Fields {
  const { tool } = event.payload as { tool: string };
  const shown = openCodeCallOf(event).args;
  const whole: Record<string, unknown> = { ...after };
  for (const names of twins(tool)) {
    const there = names.filter((name) => Object.hasOwn(after, name));
    const chosen = there.find((name) => after[name] !== shown[name]) ?? there[0];
    if (chosen !== undefined) for (const name of names) whole[name] = after[chosen];
  }
  return whole;
}

const twins = (tool: string): readonly (readonly string[])[] => {
  const column = Object.hasOwn(tools, tool) ? tools[tool as ToolName] : null;
  return Object.values(column?.args ?? {}).filter((names: readonly string[]) => names.length > 1);
};
