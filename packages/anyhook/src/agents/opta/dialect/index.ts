import type { Dialect, HookSet, Sharing } from '../../../events/dialect.ts';
import { can } from './can.ts';
import { config } from './config.ts';
import { words, type OptaEvent } from './names.ts';
import { output } from './output.ts';
import { otherTools, tools } from './tools.ts';
import { join } from 'node:path';
import type { FailureKind, Request } from '../../../events/exchange.ts';
import type { OnFailure, Hook } from '../../../events/hook.ts';
import type { Event } from '../../../events/event.ts';
import { perEvent } from '../../../events/per-event.ts';
import { optaContextOf, eventOf, type OptaContext } from './context.ts';
import { readVariables, writeVariables } from './variables.ts';

/** Opta speaks through the environment; since its fourth version the same context also stands on stdin as JSON. */
const payload = { write, read };

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

const IN_TURN: Sharing = { order: 'in-turn', sees: 'so-far', stopsOn: ['deny', 'resume'], keep: 'all' };

/** Configuration order, one after another; the first block ends it. */
const sharing = (_word: string): Sharing => IN_TURN;

const GATES: ReadonlySet<string> = new Set(['tool.pre', 'prompt.pre']);

/** A guard that cannot do its work blocks, as exit 127 does; a timeout does not (section 6, task 5). */
const failure = (word: string, why: FailureKind): OnFailure =>
  GATES.has(word) && why !== 'timed-out' ? 'block' : 'allow';

const optaHookSet: HookSet = {
  into: ({ cwd }) => join(cwd, '.opta'),
  parts: { '.': '.' },
  next: ['anyhook test .opta/hooks', 'anyhook trust add'],
};

export const opta: Dialect<'opta'> = {
  name: 'opta',
  words,
  tools,
  otherTools,
  sharing,
  failure,
  can,
  config,
  hookSet: optaHookSet,
  payload,
  output,
};
