/**
 * Runs inside OpenCode 2: converts its hooks to the `(input, output)` of OpenCode 1, which the dialect reads. Written from
 * its published sources and not tested with a real run.
 */

import { isPlain, same } from '../../events/changes.ts';
import type { Event } from '../../events/event.ts';
import type { Outcome } from '../../events/outcome.ts';
import type { InsideEngine, OpenEngine } from '../shared/inside.ts';
import { opencode } from './dialect/index.ts';
import { shownTo } from './dialect/payload.ts';
import { GivenVariables } from './given-variables.ts';

type Fields = Record<string, unknown>;
type Register = (name: string, callback: (event: Fields) => Promise<void>) => Promise<unknown>;

/** The parts of the context of OpenCode 2 that we use. Only `tool` has to exist. */
export interface SetupContext {
  readonly tool: { readonly hook: Register };
  readonly session?: { readonly hook?: Register };
  readonly shell?: { readonly hook?: Register };
  readonly event?: { subscribe?(options: object): AsyncIterable<unknown> };
  readonly location?: { readonly directory?: string };
  readonly app?: { readonly version?: string };
}

/** The output as hooks of OpenCode see it. */
interface Changed {
  readonly before: Readonly<Fields>;
  readonly after: Readonly<Fields>;
}

export const isSetupContext = (given: object): given is SetupContext =>
  'tool' in given && isFields(given.tool) && typeof given.tool['hook'] === 'function';

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Returns the function that OpenCode calls to unload the plugin. */
export async function setUp(context: SetupContext, openEngine: OpenEngine): Promise<() => Promise<void>> {
  const cwd = context.location?.directory ?? process.cwd();
  const hooks = await openEngine(cwd, context.app?.version);
  const calls = new HookCalls(cwd, hooks);
  const stop = new AbortController();
  await registerTools(context, calls);
  await registerSession(context, calls);
  await registerShell(context, calls);
  void listen(context, stop.signal, (type, properties) => calls.hear(type, properties));
  return async () => {
    stop.abort();
    await hooks.close();
  };
}

/** Asks hooks about what OpenCode calls, in the terms of OpenCode 1. */
class HookCalls {
  readonly cwd: string;
  readonly variables = new GivenVariables();
  /** Sessions whose start was reported. */
  readonly sessions = new Set<string>();
  /** A shell that starts does not name its session. */
  shellSession = '';
  readonly #hooks: InsideEngine;

  constructor(cwd: string, hooks: InsideEngine) {
    this.cwd = cwd;
    this.#hooks = hooks;
  }

  async #fire(event: Event): Promise<Outcome> {
    const { name, payload, ids, scene, raw } = event;
    const outcome = await this.#hooks.fire({
      name,
      payload,
      ids: ids.session === '' ? {} : ids,
      scene,
      raw,
    });
    this.variables.take(outcome, ids.session);
    return outcome;
  }
  /** Returns the output before and after hooks; undefined: unchanged. Throws if they refuse. */
  async ask(word: string, input: Fields, output: Fields): Promise<Changed | undefined> {
    const event = opencode.payload.read({ name: word, input, output, directory: this.cwd });
    if (!this.#hooks.wants[event.name]) return undefined;
    const outcome = await this.#fire(event);
    const reply = opencode.output.write(outcome, event);
    if (reply.kind === 'threw') throw new Error(reply.message);
    const isTold = outcome.changed.length > 0 || outcome.forModel.length > 0;
    const after = isTold && reply.kind === 'returned' ? reply.args[1] : undefined;
    return isPlain(after) ? { before: shownTo(event, word).output ?? {}, after } : undefined;
  }
  hear(type: string, properties: Fields): void {
    if (type === 'session.created') this.sessions.add(String(properties['sessionID'] ?? ''));
    const native = { name: 'event', event: { type, properties }, directory: this.cwd };
    const event = opencode.payload.read(native);
    if (this.#hooks.wants[event.name]) this.variables.await(this.#fire(event), event.ids.session);
  }
}

async function registerTools(context: SetupContext, calls: HookCalls): Promise<void> {
  await context.tool.hook('execute.before', async (event) => {
    if (event['tool'] === 'shell') calls.shellSession = String(event['sessionID'] ?? '');
    const args = isPlain(event['input']) ? event['input'] : {};
    const changed = await calls.ask('tool.execute.before', callOf(event), { args: { ...args } });
    if (changed !== undefined) event['input'] = changedArguments(args, changed);
  });
  await context.tool.hook('execute.after', async (event) => {
    const { result } = event;
    if (event['status'] !== 'completed' || !isPlain(result)) return;
    const input = { ...callOf(event), args: event['input'] };
    const changed = await calls.ask('tool.execute.after', input, {
      title: '',
      output: textIn(result['content']),
      metadata: isPlain(result['metadata']) ? result['metadata'] : {},
    });
    if (changed !== undefined) event['result'] = changedResult(result, changed);
  });
}

async function registerSession(context: SetupContext, calls: HookCalls): Promise<void> {
  await context.session?.hook?.('prompt', async (event) => {
    const { sessionID, messageID, prompt } = event;
    if (!isPlain(prompt)) return;
    // The event of the first session comes before a plugin can subscribe.
    if (calls.sessions.size === 0)
      calls.hear('session.created', { sessionID, info: { id: sessionID, directory: calls.cwd } });
    const message = { id: messageID, sessionID, role: 'user' };
    const changed = await calls.ask(
      'chat.message',
      { sessionID },
      { message, parts: [{ type: 'text', text: String(prompt['text'] ?? '') }] },
    );
    if (changed !== undefined) event['prompt'] = { ...prompt, text: textIn(changed.after['parts']) };
  });
  await context.session?.hook?.('context', async (event) => {
    const system = partsIn(event['system']);
    const texts = system.map((part) => String(part['text'] ?? ''));
    const changed = await calls.ask(
      'experimental.chat.system.transform',
      { sessionID: event['sessionID'] },
      { system: texts },
    );
    const after = changed?.after['system'];
    if (Array.isArray(after)) event['system'] = systemOf(after, system);
  });
  await context.session?.hook?.('compaction', async (event) => {
    const changed = await calls.ask(
      'experimental.session.compacting',
      { sessionID: event['sessionID'] },
      { context: [] },
    );
    if (changed === undefined) return;
    const { context: texts, prompt } = changed.after;
    const added = [texts, prompt].flat().filter((text) => typeof text === 'string');
    event['system'] = [...partsIn(event['system']), ...systemOf(added, [])];
  });
}

async function registerShell(context: SetupContext, calls: HookCalls): Promise<void> {
  await context.shell?.hook?.('create.before', async (event) => {
    const output = { env: { ...(isPlain(event['env']) && event['env']) } };
    await calls.variables.layOver(output, calls.shellSession);
    const changed = await calls.ask(
      'shell.env',
      { cwd: event['cwd'] ?? calls.cwd, sessionID: calls.shellSession },
      output,
    );
    event['env'] = changed?.after['env'] ?? output.env;
  });
}

const callOf = ({ tool, sessionID, agent, id, callID }: Fields): Fields => ({
  tool,
  sessionID,
  agent,
  callID: id ?? callID,
});

/** The dialect shows some arguments under two names. A name that the call does not have is left out. */
function changedArguments(input: Fields, changed: Changed): Fields {
  const before = fieldsOf(changed.before['args']);
  const after = fieldsOf(changed.after['args']);
  const kept = Object.entries(input).filter(
    ([key]) => Object.hasOwn(after, key) || !Object.hasOwn(before, key),
  );
  const set = Object.entries(after).filter(
    ([key, value]) => !same(before[key], value) && (Object.hasOwn(input, key) || !Object.hasOwn(before, key)),
  );
  return Object.fromEntries([...kept, ...set]);
}
const fieldsOf = (value: unknown): Fields => (isPlain(value) ? value : {});

/** Without the structured output, which would still hold what a hook removed from the text. */
function changedResult({ output: _output, ...result }: Fields, { after }: Changed): Fields {
  const others = partsIn(result['content']).filter(({ type }) => type !== 'text');
  return {
    ...result,
    content: [{ type: 'text', text: String(after['output'] ?? '') }, ...others],
    metadata: after['metadata'] ?? result['metadata'],
  };
}

const systemOf = (texts: readonly unknown[], before: readonly Fields[]): Fields[] =>
  texts.map((text) => before.find((part) => part['text'] === text) ?? { type: 'text', text });

const partsIn = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isPlain) : [];
const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : partsIn(content)
        .flatMap(({ type, text }) => (type === 'text' ? [String(text ?? '')] : []))
        .join('\n');

/** The bus of OpenCode 2: other names for some events, and `data` instead of `properties`. */
async function listen(
  { event }: SetupContext,
  signal: AbortSignal,
  hear: (type: string, properties: Fields) => void,
): Promise<void> {
  try {
    for await (const item of event?.subscribe?.({ signal }) ?? []) {
      const { type, data }: Fields = isPlain(item) ? item : {};
      const properties = isPlain(data) ? data : {};
      const word = BUS[String(type)];
      if (word !== undefined) hear(word, propertiesOf(word, properties));
    }
  } catch (error) {
    if (!signal.aborted) process.stderr.write(`anyhook: the events of OpenCode ended: ${String(error)}\n`);
  }
}

const BUS: Readonly<Record<string, string>> = {
  'session.created': 'session.created',
  'session.execution.succeeded': 'session.idle',
  'session.execution.failed': 'session.error',
  'session.compaction.ended': 'session.compacted',
  'file.edited': 'file.edited',
};

function propertiesOf(word: string, data: Fields): Fields {
  if (word === 'session.created') return { ...data, info: isPlain(data['info']) ? data['info'] : data };
  const { error } = data;
  if (word !== 'session.error' || !isPlain(error)) return data;
  return { ...data, error: { name: error['type'], data: { message: error['message'] } } };
}
