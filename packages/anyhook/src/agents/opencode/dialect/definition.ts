/** One hook of a plugin, as a hook for the engine. */
import { shortName } from '../../../events/short-name.ts';
import type { EventName } from '../../../events/events.ts';
import type { Hook, Origin, Role, Ways } from '../../../events/hook.ts';
import { rolesOn } from '../../../events/roles.ts';
import { busMatch } from './bus.ts';
import { EVENT_WORDS, isConfigWord, eventOfOpenCode } from './names.ts';
import { GATES } from './sharing.ts';

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
    roles: rolesOf(on, name),
    match: busMatch(on),
    label: `${plugin ?? shortName(origin.file)} ${on}`,
    run: { kind: 'call', fn: on === 'permission.ask' ? heard(fn) : fn },
    background: false,
    shadow: false,
    timeoutMs,
  };
}

/** Only a gate judges: what cannot refuse has nothing to say about what the plugins after it made of its work. */
function rolesOf(on: string, name: EventName): readonly Role[] {
  if (on.startsWith('event')) return ['observer'];
  const roles = rolesOn(name);
  return GATES.has(on) || !roles.includes('mutator') ? roles : ['mutator'];
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
