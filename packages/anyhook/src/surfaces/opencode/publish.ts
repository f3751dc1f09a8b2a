import { ownCopy } from './own-copy.ts';
import type { LivePlugin } from './start-plugin.ts';

/** Tells every plugin, and waits for none. Each gets its own copy; what it throws, now or later, goes to `report`. */
export function publish(
  plugins: readonly LivePlugin[],
  event: unknown,
  report: (plugin: LivePlugin, thrown: unknown) => void,
  hold: (work: Promise<unknown>) => void,
): void {
  for (const plugin of plugins) {
    const call = plugin.calls.get('event');
    if (call === undefined) continue;
    const tell = async () => await call({ event: ownCopy(event) });
    const told = tell();
    hold(told);
    told.catch((thrown: unknown) => report(plugin, thrown));
  }
}
