/** One hook of a plugin, as a hook for the engine. */
import { shortName } from '../../canon/short-name.ts';
import type { Hook, Origin, Ways } from '../../canon/hook.ts';
import { rolesOn } from '../../canon/roles.ts';
import { busMatch } from './bus.ts';
import { EVENT_WORDS, isConfigWord, eventOfOpenCode } from './names.ts';

export interface PluginHook {
  /** OpenCode's name of it; `event` is every event of the bus that has no word of its own. */
  readonly on: string;
  readonly origin: Origin;
  readonly fn: Ways['call']['fn'];
  readonly timeoutMs: number;
  /** Which plugin of its file, from 1, where a file has several. */
  readonly nth?: number;
  /** What people call the plugin; otherwise its file. */
  readonly plugin?: string;
}

/** None for a name that nobody here fires. */
export function hookFromPlugin({ on, origin, fn, timeoutMs, nth = 1, plugin }: PluginHook): Hook | undefined {
  const name = eventOfOpenCode(on);
  if (name === undefined || isConfigWord(on)) return undefined;
  return {
    id: `opencode:${origin.file}#${on}.${nth}`,
    dialect: 'opencode',
    on,
    origin,
    roles: on.startsWith('event') ? ['observer'] : rolesOn(name),
    match: busMatch(on),
    label: `${plugin ?? shortName(origin.file)} ${on}`,
    run: { kind: 'call', fn: on === 'permission.ask' ? heard(fn) : fn },
    background: false,
    shadow: false,
    timeoutMs,
  };
}

/** All hooks that one function of a plugin makes: `event` listens to every word of the bus. */
export const hooksFromPlugin = (one: PluginHook): Hook[] =>
  (one.on === 'event' ? EVENT_WORDS : [one.on]).flatMap((on) => hookFromPlugin({ ...one, on }) ?? []);

/** The status a plugin was shown is also one it can say: whether it wrote it is told by the return, which nobody else reads. */
function heard(fn: Ways['call']['fn']): Ways['call']['fn'] {
  return async function ask(this: unknown, input: unknown, output: { status?: unknown }): Promise<unknown> {
    let status = output.status;
    let wrote = false;
    Object.defineProperty(output, 'status', {
      get: () => status,
      set: (value: unknown) => {
        status = value;
        wrote = true;
      },
      enumerable: true,
      configurable: true,
    });
    await Reflect.apply(fn, this, [input, output]);
    return wrote ? { status } : undefined;
  };
}
