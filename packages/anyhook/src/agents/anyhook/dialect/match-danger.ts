/** Matchers such as `danger:delete`: built-in sets of dangerous actions with their refusals. */

import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Fit } from '../../../events/hook.ts';
import { nearest } from '../../../events/problems.ts';
import type { ScriptFiles } from '../../../events/script-files.ts';
import {
  type DangerMatch,
  type DangerName,
  DANGER_NAMES,
  isDangerName,
  judgeCommand,
  judgeFile,
} from '../../../shell/danger/index.ts';
import { foundText } from '../../../shell/script-file.ts';

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

export function dangerFit(name: DangerName, event: Event, files?: ScriptFiles): Fit {
  const match = judged(name, event, files);
  if (match.kind === 'opaque') return { opaque: match.why };
  if (match.kind === 'clear') return false;
  return match.from === undefined ? true : { matched: foundText(match.command, match.from, event.scene.cwd) };
}

/** Returns the reason for the model, for the first of these names that matches the event. */
export function dangerReason(names: readonly DangerName[], event: Event, files?: ScriptFiles): string {
  for (const name of names) {
    const match = judged(name, event, files);
    if (match.kind !== 'matches') continue;
    const what =
      match.from === undefined
        ? `\`${match.command}\``
        : foundText(match.command, match.from, event.scene.cwd);
    return `Refused (${PREFIX}${name}): ${what}: ${match.why}. ${match.instead}`;
  }
  return `Refused (${names.map((name) => PREFIX + name).join(', ')}).`;
}

function judged(name: DangerName, { payload, scene }: Event, files?: ScriptFiles): DangerMatch {
  const { tool, input } = payload as { tool?: unknown; input?: Fields };
  if (typeof tool !== 'string' || typeof input !== 'object' || input === null)
    return { kind: 'opaque', why: 'the arguments of the call cannot be read' };
  if (tool !== 'shell')
    return typeof input['path'] === 'string' ? judgeFile(name, tool, input['path']) : { kind: 'clear' };
  return typeof input['command'] === 'string'
    ? judgeCommand(name, input['command'], scene.cwd, files)
    : { kind: 'opaque', why: 'the command of the call cannot be read' };
}
