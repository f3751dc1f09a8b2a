import { join } from 'node:path';
import type { Dialect, HookSet, Sharing } from '../../../events/dialect.ts';
import type { Event } from '../../../events/event.ts';
import type { FailureKind, Request } from '../../../events/exchange.ts';
import type { OnFailure, Hook } from '../../../events/hook.ts';
import { perEvent } from '../../../events/per-event.ts';
import { can } from './can.ts';
import { config } from './config.ts';
import { optaContextOf, eventOf, type OptaContext } from './context.ts';
import { words, type OptaEvent } from './names.ts';
import { output } from './output.ts';
import { otherTools, tools } from './tools.ts';
import { readVariables, writeVariables } from './variables.ts';

/** Opta passes the context in the environment. Since version 4 it is also on stdin as JSON. */
const payload = { write, read };

const wordsFor = perEvent((event, word) => {
  const context = optaContextOf(event, word as OptaEvent); // hooks of this dialect only have events of this dialect
  return { stdin: JSON.stringify(context), ...writeVariables(context) };
});

function write(event: Event, hook: Hook): Request {
  const { stdin, env, files } = wordsFor(event, hook.on);
  if (hook.run.kind === 'prompt') return { kind: 'send', body: stdin };
  if (hook.run.kind === 'call') return { kind: 'call', args: [JSON.parse(stdin)] };
  return { kind: 'command', cwd: event.scene.cwd, stdin, env, files };
}

/** Reads an event from an Opta agent: a JSON context, or `OPTA_*` variables. */
function read(native: unknown, env: Readonly<Record<string, string | undefined>> = {}): Event {
  const context =
    typeof native === 'object' && native !== null ? (native as Partial<OptaContext>) : readVariables(env);
  return eventOf(context, native ?? context);
}

const IN_TURN: Sharing = { order: 'in-turn', sees: 'so-far', stopsOn: ['deny', 'resume'], keep: 'all' };

/** Hooks run one after another in configuration order. The first block ends the group. */
const sharing = (_word: string): Sharing => IN_TURN;

const GATES: ReadonlySet<string> = new Set(['tool.pre', 'prompt.pre']);

/** A guard that fails to run blocks, as exit 127 does. A timeout does not (section 6, task 5). */
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
