/** Runs inside OpenCode: its moments become ours, our outcomes what it obeys. A refusal is thrown, a change is written in place. */
import type { Fields } from '../../canon/effects.ts';
import type { Event, Moment } from '../../canon/event.ts';
import type { EventName } from '../../canon/events.ts';
import type { Outcome } from '../../canon/outcome.ts';
import { createHooks } from '../library/create-hooks.ts';
import { SHEETS } from './capabilities.ts';
import type { Setup } from './bridge.ts';
import { reasonOf, textsTo, textOf, wasChanged } from './say.ts';
import { strictly } from './strictly.ts';

/** What we use of OpenCode's own. */
interface Input {
  readonly directory?: string;
  readonly client?: { readonly tui?: { showToast?(options: object): Promise<unknown> } };
}
interface Called {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
  readonly args?: Fields;
}
type How = Pick<Setup, 'strict'>;
type Loose = Record<string, unknown>;
type Part = { readonly type: string; readonly text?: string } & Loose;

const NAME = 'opencode';

export async function openPlugin({ directory, client }: Input, { strict }: How = {}) {
  const cwd = directory ?? process.cwd();
  const { shown: _, can, version } = SHEETS[NAME];
  const hooks = await createHooks({
    host: { name: NAME, version, can },
    cwd,
    without: [NAME],
    services: { log: (level, message) => void process.stderr.write(`anyhook: ${level}: ${message}\n`) },
  });
  const toast = (message: string) =>
    void client?.tui?.showToast?.({ body: { message, variant: 'info' } })?.catch(() => undefined);
  async function fire<E extends EventName>(
    moment: Moment<E>,
    session?: string,
    call?: string,
  ): Promise<Outcome> {
    const ids = { ...(session !== undefined && { session }), ...(call !== undefined && { call }) };
    const fired = await hooks.fire({ ...moment, ids });
    const outcome = strict ? strictly(fired, moment as Pick<Event, 'name' | 'payload'>) : fired;
    const notices = textsTo(outcome, 'person');
    if (notices !== '') toast(notices);
    return outcome;
  }
  const told = (moment: Moment, session?: string) => void (hooks.wants[moment.name] && fire(moment, session));

  return {
    async 'chat.message'(input: { sessionID: string }, output: { message: Loose; parts: Part[] }) {
      if (!hooks.wants['prompt.submit']) return;
      const prompt = output.parts
        .flatMap(({ type, text }) => (type === 'text' ? (text ?? '') : []))
        .join('\n');
      const outcome = await fire({ name: 'prompt.submit', payload: { prompt } }, input.sessionID);
      refuse(outcome);
      const context = textsTo(outcome, 'model');
      const [first] = output.parts;
      if (context !== '' && first !== undefined)
        output.parts.push({ ...first, type: 'text', text: context, synthetic: true, id: partId() });
    },
    async 'tool.execute.before'({ tool, sessionID, callID }: Called, output: { args: Loose }) {
      const payload = { tool, input: { ...output.args } };
      const outcome = await fire({ name: 'tool.before', payload }, sessionID, callID);
      refuse(outcome);
      if (wasChanged(outcome, 'input')) rewrite(output.args, outcome.payload['input'] as Fields);
    },
    async 'tool.execute.after'({ tool, sessionID, callID, args }: Called, output: Loose) {
      if (!hooks.wants['tool.after']) return;
      const payload = {
        tool,
        input: { ...args },
        content: [{ type: 'text', text: String(output['output'] ?? '') }],
        title: String(output['title'] ?? ''),
        details: output['metadata'],
      };
      const outcome = await fire({ name: 'tool.after', payload }, sessionID, callID);
      if (wasChanged(outcome, 'content')) output['output'] = textOf(outcome.payload['content']);
      if (wasChanged(outcome, 'title')) output['title'] = outcome.payload['title'];
      if (wasChanged(outcome, 'details')) output['metadata'] = outcome.payload['details'];
      const context = textsTo(outcome, 'model');
      if (context !== '') output['output'] = `${String(output['output'] ?? '')}\n\n${context}`;
    },
    async 'shell.env'({ cwd: folder }: { cwd: string }, output: { env: Record<string, string> }) {
      if (!hooks.wants['shell.env']) return;
      const outcome = await fire({ name: 'shell.env', payload: { cwd: folder, env: { ...output.env } } });
      if (wasChanged(outcome, 'env')) rewrite(output.env, outcome.payload['env'] as Fields);
    },
    async 'chat.params'({ sessionID, model }: { sessionID: string; model?: unknown }, output: Loose) {
      if (!hooks.wants['model.parameters']) return;
      const outcome = await fire({ name: 'model.parameters', payload: { ...output, model } }, sessionID);
      for (const key of Object.keys(output)) if (wasChanged(outcome, key)) output[key] = outcome.payload[key];
    },
    async 'experimental.chat.system.transform'(_: unknown, output: { system: string[] }) {
      if (!hooks.wants['model.system']) return;
      const outcome = await fire({ name: 'model.system', payload: { system: [...output.system] } });
      if (wasChanged(outcome, 'system'))
        output.system.splice(0, Infinity, ...(outcome.payload['system'] as string[]));
    },
    async 'experimental.session.compacting'({ sessionID }: { sessionID: string }, output: Loose) {
      if (!hooks.wants['compaction.prompt']) return;
      const outcome = await fire({ name: 'compaction.prompt', payload: { ...output } }, sessionID);
      for (const key of ['context', 'prompt'])
        if (wasChanged(outcome, key)) output[key] = outcome.payload[key];
    },
    async event({ event }: { event: { type: string; properties?: Loose } }) {
      const { type, properties = {} } = event;
      const session = typeof properties['sessionID'] === 'string' ? properties['sessionID'] : undefined;
      const moment = EVENTS[type]?.(properties);
      if (moment !== undefined) told(moment, session);
    },
    dispose: () => hooks.close(),
  };
}

/** OpenCode does not wait for these. */
const EVENTS: Readonly<Record<string, (said: Loose) => Moment>> = {
  'session.created': () => ({ name: 'session.start', payload: { source: 'startup' } }),
  'session.idle': () => ({ name: 'agent.idle', payload: {} }),
  'session.error': ({ error }) => ({
    name: 'session.error',
    payload: { message: JSON.stringify(error ?? 'unknown') },
  }),
  'session.compacted': () => ({ name: 'compaction.after', payload: {} }),
  'file.edited': ({ file }) => ({ name: 'file.edited', payload: { file: String(file ?? '') } }),
};

function refuse(outcome: Outcome): void {
  if (outcome.verdict === 'deny') throw new Error(reasonOf(outcome));
}

/** The agent keeps the object: what is in it is what counts. */
function rewrite(target: Loose, wanted: Fields): void {
  for (const key of Object.keys(target)) if (!Object.hasOwn(wanted, key)) delete target[key];
  Object.assign(target, wanted);
}

let parts = 0;
/** OpenCode sorts by them: behind what is there. */
const partId = (): string => `prt_zzzz${Date.now().toString(36)}${(parts++).toString(36).padStart(4, '0')}`;
