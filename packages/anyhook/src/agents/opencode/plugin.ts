/** Runs inside OpenCode 1: converts its events to ours with its dialect, and our outcomes to plugin output or errors. */

import { isPlain } from '../../events/changes.ts';
import type { Event } from '../../events/event.ts';
import type { Outcome } from '../../events/outcome.ts';
import type { OpenEngine } from '../shared/inside.ts';
import { can } from './can.ts';
import { opencode } from './dialect/index.ts';
import { GivenVariables } from './given-variables.ts';
import { isSetupContext, type SetupContext, setUp } from './plugin-v2.ts';
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

/** OpenCode 1 passes its input, OpenCode 2 a context with functions that register hooks. */
export const open = (given: Input | SetupContext, openEngine: OpenEngine) =>
  isSetupContext(given) ? setUp(given, openEngine) : openV1(given, openEngine);

async function openV1({ directory, client }: Input, openEngine: OpenEngine) {
  const cwd = directory ?? process.cwd();
  const hooks = await openEngine(cwd);
  const toast = (message: string) =>
    void client?.tui?.showToast?.({ body: { message, variant: 'info' } })?.catch(() => undefined);

  const variables = new GivenVariables();
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
