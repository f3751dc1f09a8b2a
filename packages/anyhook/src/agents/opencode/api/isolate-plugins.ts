/** Runs each plugin in its own process. A plugin may hang, exit or leak memory there without affecting the host. */

import { homedir } from 'node:os';
import { isPlain } from '../../../events/changes.ts';
import type { Reply } from '../../../events/exchange.ts';
import type { Problem } from '../../../events/problems.ts';
import { NEVER } from '../../../events/signal.ts';
import { type IsolatedModule, isolateModule } from '../../../modules/isolate.ts';
import { joinOffers } from '../../../modules/join-offers.ts';
import { type ForeignModule, loaderUrl } from '../../../modules/loader.ts';
import type { OpenedForeign } from '../../../runners/isolated/open-foreign.ts';
import { opencode } from '../dialect/index.ts';
import { atWork } from './at-work.ts';
import { Faults } from './faults.ts';
import { isHookName } from './hook-names.ts';
import type { PluginHookCall } from './hooks-in.ts';
import { authOver, toolOver } from './offers-as-hooks.ts';
import type { Surroundings } from './plugin-input.ts';
import type { Plugins } from './plugins.ts';
import type { PluginTarget } from './resolve-plugin.ts';
import type { LivePlugin } from './start-plugin.ts';
import type { Hooks } from './types/index.ts';

export interface IsolatePluginsTerms extends Surroundings {
  readonly timeoutMs: number;
  readonly problems: readonly Problem[];
}

export async function isolatePlugins(
  targets: readonly PluginTarget[],
  terms: IsolatePluginsTerms,
): Promise<Plugins> {
  const { directory: cwd, home = homedir(), env, services, timeoutMs } = terms;
  const opened: IsolatedModule[] = [];
  for (const target of targets)
    opened.push(
      await isolateModule(moduleOf(target), {
        cwd,
        home,
        env,
        services,
        deadlineMs: timeoutMs,
        dialect: opencode,
        loader: loaderUrl('opencode'),
        key: target.key,
      }),
    );
  const plugins = opened.flatMap((one, index) => pluginsOver(one, targets[index]!, timeoutMs));
  const joined = joinOffers(opened.map(({ offers }) => ({ dialect: opencode, offers })));
  const problems = [...terms.problems, ...opened.flatMap((one) => one.problems), ...joined.problems];
  return atWork(plugins, {
    faults: new Faults(problems, services.log),
    offers: joined.offers,
    feed: terms.feed,
    timeoutMs: 2 * timeoutMs, // the process has its own timeout; this one is for a process that cannot be killed
    end: () => {
      for (const one of opened) one.close();
    },
  });
}

const moduleOf = ({ file, root, source, options }: PluginTarget): ForeignModule => ({
  file: source === 'package' ? root : file,
  shown: file,
  layer: 'session',
  asker: { file, line: 1 },
  ...(options !== undefined && { options }),
});

/** Returns one entry per plugin of the file, in order. The offers of the file belong to the first. */
function pluginsOver(module: IsolatedModule, target: PluginTarget, timeoutMs: number): LivePlugin[] {
  const { opened, description, offers } = module;
  if (opened === undefined || description === undefined) return [];
  const plugins = new Map<string, Map<keyof Hooks, PluginHookCall>>([['1', new Map()]]);
  for (const [index, { on, id, missing }] of description.hooks.entries()) {
    const nth = /\.(\d+)$/.exec(id)?.[1] ?? '1';
    const calls = plugins.get(nth) ?? new Map<keyof Hooks, PluginHookCall>();
    plugins.set(nth, calls);
    if (isHookName(on) && missing === undefined) calls.set(on, callOver(opened, index, timeoutMs));
  }
  return [...plugins].map(([nth, calls]) => ({
    target,
    name: nth,
    calls,
    tools: new Map(nth === '1' ? offers.tools.map((tool) => [tool.name, toolOver(tool)]) : []),
    ...(nth === '1' && offers.auth[0] !== undefined && { auth: authOver(offers.auth[0]) }),
    faults: [],
  }));
}

/** Applies changes that the call made to its arguments in the process to the arguments here. */
const callOver =
  (opened: OpenedForeign, index: number, timeoutMs: number): PluginHookCall =>
  async (...args) => {
    const reply = await opened.run(index, args, { timeoutMs, signal: NEVER });
    if (reply.kind !== 'returned') throw new Error(whyOf(reply, timeoutMs));
    for (const [at, after] of reply.args.entries()) writeBack(args[at], after);
  };

function whyOf(reply: Reply, timeoutMs: number): string {
  if (reply.kind === 'threw') return reply.message;
  if (reply.kind !== 'broken') return `the plugin's process gave a ${reply.kind} reply`;
  const { kind, detail } = reply.why;
  return kind === 'timed-out'
    ? `the hook did not answer within ${timeoutMs} ms; its process was killed`
    : (detail ?? kind);
}

/** Makes `home` equal to `after` in place, so that references to parts of `home` see the change. */
export function writeBack(home: unknown, after: unknown): void {
  if (Array.isArray(home) && Array.isArray(after)) {
    home.length = Math.min(home.length, after.length);
    for (const [index, value] of after.entries()) put(home, index, value);
  } else if (isPlain(home) && isPlain(after)) {
    // Undefined values are not transferred, so such a key is missing in `after` although nobody removed it.
    for (const key of Object.keys(home))
      if (!Object.hasOwn(after, key) && home[key] !== undefined) delete home[key];
    for (const key of Object.keys(after)) put(home, key, after[key]);
  }
}

function put(home: object, key: PropertyKey, value: unknown): void {
  const held: unknown = Object.hasOwn(home, key) ? Reflect.get(home, key) : undefined;
  const isSameKind = (isPlain(held) && isPlain(value)) || (Array.isArray(held) && Array.isArray(value));
  if (isSameKind) writeBack(held, value);
  else Object.defineProperty(home, key, { value, enumerable: true, writable: true, configurable: true });
}
