/** Runs inside OpenCode: converts its events to ours with its dialect, and our outcomes to plugin output or errors. */

import { isPlain } from '../../events/changes.ts';
import type { Event } from '../../events/event.ts';
import type { Outcome } from '../../events/outcome.ts';
import type { OpenEngine } from '../shared/inside.ts';
import { can } from './can.ts';
import { opencode } from './dialect/index.ts';
import { BusUsage } from './usage.ts';

/** The parts of OpenCode's input that we use. */
interface Input {
  readonly directory?: string;
  readonly client?: { readonly tui?: { showToast?(options: object): Promise<unknown> } };
}
type Loose = Record<string, unknown>;
type Listener = (input: Loose, output: Loose) => Promise<void>;

/** Functions with an input and an output that OpenCode awaits. */
const WORDS = [
  'chat.message',
  'chat.params',
  'command.execute.before',
  'experimental.chat.messages.transform',
  'experimental.chat.system.transform',
  'experimental.session.compacting',
  'experimental.text.complete',
  'shell.env',
  'tool.execute.after',
  'tool.execute.before',
] as const;

export async function open({ directory, client }: Input, openEngine: OpenEngine) {
  const cwd = directory ?? process.cwd();
  const hooks = await openEngine(cwd);
  const toast = (message: string) =>
    void client?.tui?.showToast?.({ body: { message, variant: 'info' } })?.catch(() => undefined);

  const variables = givenVariables();
  const busUsage = new BusUsage();

  async function fire(event: Event): Promise<Outcome> {
    const { name, payload, ids, scene, raw } = event;
    const usage = busUsage.of(ids.session);
    const outcome = await hooks.fire({
      name,
      payload,
      ids: ids.session === '' ? {} : ids,
      scene,
      raw,
      usage,
    });
    variables.take(outcome, ids.session);
    if (outcome.forPerson.length > 0) toast(outcome.forPerson.join('\n'));
    return outcome;
  }
  const listenerTo =
    (word: string): Listener =>
    async (input, output) => {
      if (word === 'shell.env') await variables.layOver(output, input['sessionID']);
      const event = opencode.payload.read({ name: word, input, output, directory: cwd });
      if (!hooks.wants[event.name]) return;
      const outcome = await fire(event);
      const reply = opencode.output.write(outcome, event);
      if (reply.kind === 'threw') throw new Error(reply.message);
      const isTold = outcome.changed.length > 0 || outcome.forModel.length > 0;
      if (isTold && reply.kind === 'returned') leave(output, reply.args[1]);
    };

  return {
    ...Object.fromEntries(WORDS.map((word) => [word, listenerTo(word)])),
    /** OpenCode does not wait for it. */
    async event({ event: said }: { event: Loose }) {
      busUsage.take(said);
      const event = opencode.payload.read({ name: 'event', event: said, directory: cwd });
      if (can[event.name] !== undefined && !isAsked(event) && hooks.wants[event.name])
        variables.await(fire(event), event.ids.session);
    },
    dispose: () => hooks.close(),
  };
}

/** The bus also reports calls that were already judged. */
const isAsked = ({ name }: Event): boolean =>
  (opencode.words[name] ?? []).some((word) => WORDS.some((one) => one === word));

/** Changes the objects in place, because OpenCode reads these objects. */
function leave(target: Loose, wanted: unknown): void {
  if (!isPlain(wanted)) return;
  for (const key of Object.keys(target)) if (!Object.hasOwn(wanted, key)) delete target[key];
  for (const [key, value] of Object.entries(wanted)) {
    const now = target[key];
    if (isPlain(now) && isPlain(value)) leave(now as Loose, value);
    else if (Array.isArray(now) && Array.isArray(value)) now.splice(0, Infinity, ...(value as unknown[]));
    else target[key] = value;
  }
}

/** Variables that hooks have set for later commands of a session. OpenCode reads them before it starts a shell. */
function givenVariables() {
  const bySession = new Map<string, Record<string, unknown>>();
  const underWay = new Map<string, Promise<unknown>>();

  return {
    take({ given }: Outcome, session: string): void {
      const all = given.flatMap(({ what, value }) =>
        what === 'environment' && isPlain(value) ? [value] : [],
      );
      if (all.length > 0) bySession.set(session, Object.assign({}, bySession.get(session), ...all));
    },
    /** OpenCode does not wait for its bus, so the first shell of a session waits for variables set at its start. */
    await(fired: Promise<unknown>, session: string): void {
      const both = Promise.allSettled([underWay.get(session), fired]).then(() => {
        if (underWay.get(session) === both) underWay.delete(session);
      });
      underWay.set(session, both);
    },
    async layOver(output: Record<string, unknown>, session: unknown): Promise<void> {
      const key = typeof session === 'string' ? session : '';
      await underWay.get(key);
      if (isPlain(output['env'])) Object.assign(output['env'], bySession.get(key));
    },
  };
}
