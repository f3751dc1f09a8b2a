import { join } from 'node:path';
import type { Dialect, HookSet, Sharing } from '../../../events/dialect.ts';
import type { Event } from '../../../events/event.ts';
import type { Request } from '../../../events/exchange.ts';
import { FAILED_RESULT } from '../../../events/failed-result.ts';
import type { OnFailure, Hook } from '../../../events/hook.ts';
import { perEvent } from '../../../events/per-event.ts';
import { can } from './can.ts';
import { config } from './config.ts';
import { words } from './names.ts';
import { readEvent } from './read-event.ts';
import { readReply } from './read-reply.ts';
import { otherTools, tools } from './tools.ts';
import { writeEditorEvent, writeEvent } from './write-event.ts';
import { writeReply } from './write-reply.ts';

const payload = { write, read: readEvent };

const documents = {
  usual: perEvent((event, word) => writeEvent(event, word)),
  editor: perEvent(writeEditorEvent),
};
const texts = {
  usual: perEvent((event, word) => JSON.stringify(documents.usual(event, word))),
  editor: perEvent((event, word) => JSON.stringify(documents.editor(event, word))),
};

/** Writes JSON on stdin. An MCP tool receives its own arguments, and the event only if its author requested it. */
function write(event: Event, { run, on, matcher = '' }: Hook): Request {
  const form = matcher.includes('text_editor') ? 'editor' : 'usual';
  const [documentFor, textFor] = [documents[form], texts[form]];
  if (run.kind === 'call') return { kind: 'call', args: [JSON.parse(textFor(event, on))] };
  if (run.kind !== 'mcp') return { kind: 'command', cwd: event.scene.cwd, stdin: textFor(event, on) };
  const { input = {}, passEvent } = run;
  const args = passEvent === undefined ? input : { ...input, [passEvent]: documentFor(event, on) };
  return { kind: 'send', body: JSON.stringify(args) };
}

const IN_TURN: Sharing = {
  order: 'in-turn',
  sees: 'so-far',
  stopsOn: ['deny', 'resume', 'cancel'],
  keep: 'all',
};

/** Hooks run strictly one after another. The first block ends the group. */
const sharing = (_word: string): Sharing => IN_TURN;

/** A failed hook lets pass and is marked; `on_failure` makes a hook fail closed. */
const failure = (): OnFailure => 'allow';

const gooseHookSet: HookSet = {
  into: ({ home }) => join(home, '.config', 'goose'),
  parts: { config: '.', hooks: 'hooks' },
  next: ['anyhook test ~/.config/goose/hooks', 'anyhook doctor'],
};

export const goose: Dialect<'goose'> = {
  name: 'goose',
  words,
  substitutes: { 'tool.after': FAILED_RESULT },
  tools,
  otherTools,
  sharing,
  failure,
  can,
  config,
  hookSet: gooseHookSet,
  payload,
  output: { read: readReply, write: writeReply },
};
