/** Started plugins, as a host uses them. */

import type { Fields } from '../../../events/effects.ts';
import type { Offers } from '../../../events/offers.ts';
import type { Faults } from './faults.ts';
import type { HostFeed } from './host-feed.ts';
import { inTime } from './in-time.ts';
import { ownCopy } from './own-copy.ts';
import type { Plugins } from './plugins.ts';
import type { LivePlugin } from './start-plugin.ts';
import { trigger } from './trigger.ts';
import type { Hooks } from './types/index.ts';

export interface WorkTerms {
  readonly faults: Faults;
  readonly offers: Offers;
  readonly timeoutMs: number;
  readonly feed: HostFeed;
  /** Called after the last `dispose` hook. */
  readonly end?: () => void;
}

export function atWork(
  plugins: readonly LivePlugin[],
  { faults, offers, timeoutMs, feed: heard, end }: WorkTerms,
): Plugins {
  let over: Promise<void> | undefined;
  /** Calls the plugins one after another. A throw or a hang becomes a problem of that plugin. */
  const tellEach = async (hook: 'config' | 'dispose', ...args: unknown[]): Promise<void> => {
    for (const plugin of plugins) {
      const call = plugin.calls.get(hook);
      const who = () => `the hook ${JSON.stringify(hook)} of ${plugin.target.spec}`;
      if (call !== undefined)
        await inTime(() => call(...args), { timeoutMs, who }).catch((thrown: unknown) =>
          faults.threw(plugin, hook, thrown),
        );
    }
  };
  return {
    init(config) {
      heard.config = config;
      return tellEach('config', config);
    },
    async trigger<O>(name: string, input: unknown, output: O): Promise<O> {
      if (over !== undefined) throw new Error(`the plugins have been disposed: ${name} runs no hooks`);
      const report = (plugin: LivePlugin, hook: keyof Hooks, message: string) =>
        faults.say(plugin, hook, message);
      return trigger(plugins, name, input, output, { timeoutMs, report });
    },
    publish(event) {
      if (over !== undefined) return;
      heard.tell(event as Fields);
      const report = (plugin: LivePlugin, thrown: unknown) => faults.threw(plugin, 'event', thrown);
      publish(plugins, event, report, (work) => heard.hold(work));
    },
    hooks: plugins.map(hooksOf),
    tools: Object.fromEntries(plugins.flatMap(({ tools }) => [...tools])),
    auth: [
      ...new Map(plugins.flatMap(({ auth }) => (auth === undefined ? [] : [[auth.provider, auth]]))).values(),
    ],
    offers,
    problems: faults.problems,
    dispose: () =>
      (over ??= heard
        .settled()
        .then(() => tellEach('dispose'))
        .finally(end)),
  };
}

const hooksOf = ({ calls, tools, auth, provider }: LivePlugin): Hooks => ({
  ...(Object.fromEntries(calls) as Hooks), // each under its own name
  ...(tools.size > 0 && { tool: Object.fromEntries(tools) }),
  ...(auth !== undefined && { auth }),
  ...(provider !== undefined && { provider }),
});

/** Notifies every plugin without waiting. Each gets its own copy, and its errors go to `report`. */
function publish(
  plugins: readonly LivePlugin[],
  event: unknown,
  report: (plugin: LivePlugin, thrown: unknown) => void,
  hold: (work: Promise<unknown>) => void,
): void {
  for (const plugin of plugins) {
    const call = plugin.calls.get('event');
    if (call === undefined) continue;
    const tell = async () => await call({ event: ownCopy(event) });
    const delivery = tell();
    hold(delivery);
    delivery.catch((thrown: unknown) => report(plugin, thrown));
  }
}
