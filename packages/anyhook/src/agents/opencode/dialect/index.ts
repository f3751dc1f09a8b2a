import type { Capabilities } from '../../../events/capabilities.ts';
import { isPlain } from '../../../events/changes.ts';
import { copyPlain } from '../../../events/copy.ts';
import type { Dialect } from '../../../events/dialect.ts';
import { deny, type Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { ExitReply, Reply, ReturnReply, ThrowReply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import type { Answer, Outcome } from '../../../events/outcome.ts';
import {
  type KnownPack,
  keywordsOf,
  needsPackage,
  type PackLook,
  type PackTerms,
} from '../../../events/pack.ts';
import { unreadable } from '../../../events/printout.ts';
import { config } from './config.ts';
import { moduleFinder } from './module-finder.ts';
import { words, type OpencodeWord } from './names.ts';
import { payload, callRowOf, shownTo } from './payload.ts';
import { withContext } from './prompt.ts';
import { failedResult } from './result.ts';
import { failure, sharing, GATES } from './sharing.ts';
import { otherTools, tools } from './tools.ts';

/** A plugin answers by changing `output`. A throw fails the action. */
const output = { read, write };

function read(reply: Reply, event: Event, hook: Hook): Answer {
  if (reply.kind === 'exited') return readExit(reply);
  if (reply.kind === 'threw') return readThrow(reply, hook.on);
  if (reply.kind === 'returned') return readReturn(reply, event, hook.on);
  return unreadable(`a ${reply.kind} reply`);
}

/** An exit code is recorded and decides nothing. */
function readExit({ code, stdout, stderr, notes }: ExitReply): Answer {
  const printed = [stdout, stderr].filter(Boolean).join('\n');
  return {
    effects: [],
    ...(code !== 0 && { failed: { kind: 'failed', detail: `exit code ${code}` } as const }),
    ...(notes && { notes }),
    ...(printed && { printed }),
  };
}

function readThrow({ message }: ThrowReply, word: string): Answer {
  if (GATES.has(word)) return { effects: [deny(message || 'an OpenCode plugin threw without a message')] };
  if (word === 'tool.execute.after') return { effects: failedResult(message), endsTurn: true };
  return { effects: [], failed: { kind: 'failed', detail: message }, endsTurn: true };
}

function readReturn({ args, value }: ReturnReply, event: Event, word: string): Answer {
  const row = callRowOf(word);
  if (row === undefined) return { effects: [] };
  const shown = shownTo(event, word);
  const before = shown.output ?? shown.input;
  const after = args[shown.output === undefined ? 0 : 1];
  if (args.length === 0) return { effects: [] };
  if (!isPlain(after)) return unreadable('the returned arguments are not an object');
  // The initial status is `ask`, so it only counts if the plugin has written it.
  if (word === 'permission.ask' && after['status'] === 'ask' && !wroteStatus(value)) return { effects: [] };
  const changes = row.changes(after, copyPlain(before), event);
  return typeof changes === 'string' ? unreadable(changes) : { effects: changes };
}

const wroteStatus = (value: unknown): boolean => isPlain(value) && value['status'] === 'ask';

/** Writes an outcome for OpenCode: the output that its plugins would leave, or the error that they would throw. */
function write(outcome: Outcome, event: Event): ReturnReply | ThrowReply {
  const word = wordOf(event);
  const final = { ...event, payload: outcome.payload } as Event;
  const { input, output: left } = shownTo(final, word);
  const args = left === undefined ? [input] : [input, left];
  if (word === 'permission.ask') return status(outcome, input);
  if (outcome.proceed !== 'yes' && GATES.has(word)) return { kind: 'threw', message: outcome.reason, args };
  const { forModel } = outcome;
  const tell = TELLS[word];
  if (tell !== undefined && forModel.length > 0 && left !== undefined)
    return { kind: 'returned', value: undefined, args: [input, tell(left, forModel)] };
  // `config` changes its first argument, which is its output.
  return { kind: 'returned', value: word === 'config' ? input : undefined, args };
}

/** Where additional text for the model is inserted: OpenCode only has the result and the prompt itself. */
const TELLS: Readonly<Record<string, (left: Fields, texts: readonly string[]) => Fields>> = {
  'tool.execute.after': (left, texts) => ({ ...left, output: [left['output'], ...texts].join('\n\n') }),
  'chat.message': (left, texts) => ({ ...left, parts: withContext(left, texts.join('\n')) }),
};

function status({ verdict }: Outcome, input: Fields): ReturnReply {
  const decision = { status: verdict === 'allow' || verdict === 'deny' ? verdict : 'ask' };
  return { kind: 'returned', value: verdict === 'ask' ? decision : undefined, args: [input, decision] };
}

/** The native event name, if one event of ours is several of theirs. */
function wordOf({ name, raw }: Event): string {
  const native = isPlain(raw) ? raw['name'] : undefined;
  const known: readonly OpencodeWord[] = words[name] ?? [];
  return known.find((word) => word === native) ?? known[0] ?? 'event';
}

const WRITES = { set: 'full' } as const;

/**
 * Capabilities of OpenCode (1.18). It has not called `permission.ask` since early 2026; an agent that calls it obeys
 * it. `tool.execute.before` cannot ask the user.
 */
const can: Capabilities = {
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, set: 'full', context: 'full' },
  'agent.idle': {},
  'command.before': { deny: 'full', set: 'full' },
  'model.context': WRITES,
  'model.system': WRITES,
  'model.parameters': WRITES,
  'model.small': WRITES,
  'model.text': WRITES,
  'tool.before': { deny: 'full', ask: { as: 'deny' }, defer: { as: 'deny' }, set: 'full' },
  'tool.permission': { allow: 'full', ask: 'full', deny: 'full', defer: { as: 'deny' } },
  'tool.after': { set: 'full', context: 'full' },
  'tool.offered': WRITES,
  'shell.env': WRITES,
  'config.loaded': WRITES,
  'compaction.prompt': WRITES,
  'compaction.continue': WRITES,
};

/** Recognises a plugin from npm: it declares it, or depends on the plugin package. */
function known({ manifest, start }: PackLook): KnownPack | undefined {
  const isSaid = keywordsOf(manifest).some((word) => /^opencode(?:-plugin)?$/.test(word));
  const isNamed = /(?:^|[/-])opencode(?:-|$)/.test(String(manifest['name'] ?? ''));
  if (!isSaid && !isNamed && !needsPackage(manifest, /^@opencode(?:-ai)?\/plugin$/)) return undefined;
  const module = start();
  if (module === undefined) return undefined;
  return { entries: [{ path: '.', dialect: 'opencode' }], modules: [module] };
}

const packs: PackTerms = {
  known,
  claims: (text) =>
    /@opencode(?:-ai)?\/plugin|['"](?:tool\.execute|chat|command\.execute)\.\w+['"]/.test(text),
};

export const opencode: Dialect<'opencode'> = {
  name: 'opencode',
  words,
  hooksAreCode: true,
  calledByLoader: { config: 'the plugin’s first use, with your opencode.json' },
  tools,
  otherTools,
  sharing,
  failure,
  can,
  config,
  moduleFinder,
  payload,
  packs,
  output,
};
