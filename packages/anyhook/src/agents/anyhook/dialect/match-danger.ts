/** Matchers such as `danger:delete`: built-in sets of dangerous actions with their refusals. */

import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Fit } from '../../../events/hook.ts';
import { nearest } from '../../../events/problems.ts';
import {
  type DangerMatch,
  type DangerName,
  DANGER_NAMES,
  isDangerName,
  judgeCommand,
  judgeFile,
} from '../../../shell/danger/index.ts';

const PREFIX = 'danger:';
export const isDangerWord = (word: string): boolean => word.startsWith(PREFIX);

/** Throws a SyntaxError for an unknown name. */
export function dangerIn(word: string): DangerName {
  const name = word.slice(PREFIX.length).trim();
  if (isDangerName(name)) return name;
  const near = nearest(name, DANGER_NAMES);
  throw new SyntaxError(
    `"${word}" is not known; ${near === undefined ? `there are ${DANGER_NAMES.map((one) => PREFIX + one).join(', ')}` : `did you mean ${PREFIX}${near}?`}`,
  );
}

/** Tools whose calls are checked. */
export const DANGER_TOOLS: readonly string[] = ['shell', 'read', 'grep'];

export function dangerFit(name: DangerName, event: Event): Fit {
  const match = judged(name, event);
  return match.kind === 'opaque' ? { opaque: match.why } : match.kind === 'matches';
}

/** Returns the reason for the model, for the first of these names that matches the event. */
export function dangerReason(names: readonly DangerName[], event: Event): string {
  for (const name of names) {
    const match = judged(name, event);
    if (match.kind === 'matches')
      return `Refused (${PREFIX}${name}): \`${match.command}\`: ${match.why}. ${match.instead}`;
  }
  return `Refused (${names.map((name) => PREFIX + name).join(', ')}).`;
}

function judged(name: DangerName, { payload, scene }: Event): DangerMatch {
  const { tool, input } = payload as { tool?: unknown; input?: Fields };
  if (typeof tool !== 'string' || typeof input !== 'object' || input === null)
    return { kind: 'opaque', why: 'the arguments of the call cannot be read' };
  if (tool !== 'shell')
    return typeof input['path'] === 'string' ? judgeFile(name, tool, input['path']) : { kind: 'clear' };
  return typeof input['command'] === 'string'
    ? judgeCommand(name, input['command'], scene.cwd)
    : { kind: 'opaque', why: 'the command of the call cannot be read' };
}
