import type { Event } from '../../../events/event.ts';
import type { Request } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { perEvent } from '../../../events/per-event.ts';
import { readEvent } from './read-event.ts';
import { writeEditorEvent, writeEvent } from './write-event.ts';

export const payload = { write, read: readEvent };

const documents = {
  usual: perEvent((event, word) => writeEvent(event, word)),
  editor: perEvent(writeEditorEvent),
};
const texts = {
  usual: perEvent((event, word) => JSON.stringify(documents.usual(event, word))),
  editor: perEvent((event, word) => JSON.stringify(documents.editor(event, word))),
};

/** JSON on stdin; an MCP tool gets its own arguments, and the event only where its author asked for that. */
function write(event: Event, { run, on, matcher = '' }: Hook): Request {
  const form = matcher.includes('text_editor') ? 'editor' : 'usual';
  const [documentFor, textFor] = [documents[form], texts[form]];
  if (run.kind === 'call') return { kind: 'call', args: [JSON.parse(textFor(event, on))] };
  if (run.kind !== 'mcp') return { kind: 'command', cwd: event.scene.cwd, stdin: textFor(event, on) };
  const { input = {}, passEvent } = run;
  const args = passEvent === undefined ? input : { ...input, [passEvent]: documentFor(event, on) };
  return { kind: 'send', body: JSON.stringify(args) };
}
