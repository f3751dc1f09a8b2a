/** Opta speaks through the environment; since its fourth version the same context also stands on stdin as JSON. */
import type { Event } from '../../../events/event.ts';
import type { Request } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { perEvent } from '../../../events/per-event.ts';
import { optaContextOf, eventOf, type OptaContext } from './context.ts';
import type { OptaEvent } from './names.ts';
import { readVariables, writeVariables } from './variables.ts';

export const payload = { write, read };

const wordsFor = perEvent((event, word) => {
  const context = optaContextOf(event, word as OptaEvent); // a hook of this dialect has a word of this dialect
  return { stdin: JSON.stringify(context), ...writeVariables(context) };
});

function write(event: Event, hook: Hook): Request {
  const { stdin, env, files } = wordsFor(event, hook.on);
  if (hook.run.kind === 'prompt') return { kind: 'send', body: stdin };
  if (hook.run.kind === 'call') return { kind: 'call', args: [JSON.parse(stdin)] };
  return { kind: 'command', cwd: event.scene.cwd, stdin, env, files };
}

/** An Opta agent's event: its JSON context, or its `OPTA_*` variables. */
function read(native: unknown, env: Readonly<Record<string, string | undefined>> = {}): Event {
  const said =
    typeof native === 'object' && native !== null ? (native as Partial<OptaContext>) : readVariables(env);
  return eventOf(said, native ?? said);
}
