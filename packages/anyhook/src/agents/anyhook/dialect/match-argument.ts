/** The part of `shell(git push*)` in parentheses. Without the argument it matches: a guard run in vain beats one that was skipped. */
import { matchShell } from '../../../shell/matches-shell.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Fit } from '../../../events/hook.ts';
import { TOOLS } from '../../../events/tools.ts';
import { pathGlob, textGlob } from './glob.ts';

/** Throws a SyntaxError for a glob that cannot be read. */
export function argumentTest(glob: string): (event: Event) => Fit {
  const [path, text] = [pathGlob(glob), textGlob(glob)];
  return ({ payload, scene }) => {
    const { tool, input } = payload as { tool?: unknown; input?: Fields };
    if (typeof input !== 'object' || input === null) return true;
    if (tool === 'shell')
      return typeof input['command'] === 'string' ? shellFit(glob, input['command']) : true;
    if (isFileTool(tool)) return typeof input['path'] === 'string' ? path(input['path'], scene.cwd) : true;
    return someText(input, text, DEEPEST);
  };
}

function shellFit(glob: string, command: string): Fit {
  const match = matchShell(glob, command);
  return match.kind === 'opaque' ? { opaque: match.why } : match.kind === 'matches';
}

const DEEPEST = 8;
/** Any text among the arguments, also inside lists and objects. */
function someText(value: unknown, test: (text: string) => boolean, depth: number): boolean {
  if (typeof value === 'string') return test(value);
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true; // too deep to tell
  return Object.values(value).some((part) => someText(part, test, depth - 1));
}

/** Tools whose first argument is the path of a file. */
const FILE_TOOLS: ReadonlySet<unknown> = new Set(
  Object.entries(TOOLS).flatMap(([name, { args }]) => (args[0] === 'path' ? [name] : [])),
);
const isFileTool = (tool: unknown): boolean => FILE_TOOLS.has(tool);
