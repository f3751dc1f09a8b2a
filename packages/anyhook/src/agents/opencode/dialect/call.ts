/** A tool call as plugins hear it: under OpenCode's names, with both of them where its documentation has another. */
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

/** What a plugin made of the arguments, changed in place or put anew; undefined: no arguments at all. */
export function argsChanges(after: unknown, event: Event): Change[] | undefined {
  if (!isPlain(after)) return undefined;
  return changesIn(tools, event, alike(after, event));
}

/** Who puts new arguments in place may know an argument by one of its two names only: it is not taken away by that. */
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
