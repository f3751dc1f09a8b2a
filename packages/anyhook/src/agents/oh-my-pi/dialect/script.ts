/**
 * A shell hook file as a command: `pre/bash.sh` guards the tool `bash`, `post/bash.sh` receives its results. The event
 * is on stdin. JSON on stdout is an answer as from a module, and any exit code but 0 refuses.
 */

import { extname } from 'node:path';
import { deny, tightens } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { ExitReply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Answer } from '../../../events/outcome.ts';
import { marksOf, readPrintout } from '../../../events/printout.ts';
import { rolesOn } from '../../../events/roles.ts';
import { readHandlerAnswer } from './answer.ts';
import type { DiscoveredHook } from './discover.ts';

/** The shell for scripts with this extension. */
export const SCRIPT_SHELLS: Readonly<Record<string, string>> = {
  '.sh': 'sh',
  '.bash': 'bash',
  '.zsh': 'zsh',
  '.fish': 'fish',
};
const SCRIPT_MS = 30_000;

export const isScript = ({ name }: Pick<DiscoveredHook, 'name'>): boolean =>
  Object.hasOwn(SCRIPT_SHELLS, extname(name));

export function hookFromScript({ path, type, tool, level, name }: DiscoveredHook): Hook {
  return {
    id: `oh-my-pi:${path}`,
    dialect: 'oh-my-pi',
    on: type === 'pre' ? 'tool_call' : 'tool_result',
    origin: { layer: level, file: path, line: 1 },
    roles: rolesOn(type === 'pre' ? 'tool.before' : 'tool.after'),
    // The native folders drop the extension from the tool name; Claude's drop only shell extensions.
    match: tool === '*' ? { kind: 'any' } : { kind: 'names', names: [tool] },
    matcher: tool,
    label: path,
    run: { kind: 'command', run: { argv: [SCRIPT_SHELLS[extname(name)]!, path] }, env: 'inherit' },
    background: false,
    shadow: false,
    timeoutMs: SCRIPT_MS,
  };
}

/** Text without anything like an answer is ignored. */
export function readExit(reply: ExitReply, event: Event, { on, origin }: Hook): Answer {
  const { code, stderr } = reply;
  const answer = readStdout(reply, event, on);
  if (code === 0) return answer;
  const message = stderr.trim() || `${origin.file} ended with ${code}`;
  return on === 'tool_call'
    ? { effects: [deny(message)] }
    : { effects: answer.effects.filter(tightens), failed: { kind: 'failed', detail: message } };
}

function readStdout({ stdout, notes }: ExitReply, event: Event, word: string): Answer {
  const printout = readPrintout(stdout, { keys: ['block', 'cancel'] }, marksOf(notes));
  if (printout.kind === 'document') return readHandlerAnswer(printout.value, event, word);
  if (printout.kind === 'nothing' || printout.kind === 'text') return { effects: [] };
  const detail = printout.kind === 'unsure' ? printout.why : 'the output has text around the JSON answer';
  const strict = printout.answers.flatMap((one) =>
    readHandlerAnswer(one, event, word).effects.filter(tightens),
  );
  return { effects: strict, failed: { kind: 'unreadable', detail } };
}
