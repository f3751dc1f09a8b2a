/** Converts one hook of a plugin to a hook of the engine. */

import type { EventName } from '../../../events/events.ts';
import type { Hook, Origin, Role, Ways } from '../../../events/hook.ts';
import { rolesOn } from '../../../events/roles.ts';
import { shortName } from '../../../events/short-name.ts';
import { busMatch } from './bus.ts';
import { EVENT_WORDS, isConfigWord, eventOfOpenCode } from './names.ts';
import { GATES } from './sharing.ts';

export interface PluginHook {
  /** OpenCode's name of the hook. `event` covers every bus event without its own name. */
  readonly on: string;
  readonly origin: Origin;
  readonly fn: Ways['call']['fn'];
  readonly timeoutMs: number;
  /** The number of the plugin in its file, from 1, if the file has several. */
  readonly nth?: number;
  /** The display name of the plugin; default: its file. */
  readonly plugin?: string;
}

/** Undefined for a name that never fires here. */
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

/** Only gates judge. Other hooks need not run again when later plugins change their result. */
function rolesOf(on: string, name: EventName): readonly Role[] {
  if (on.startsWith('event')) return ['observer'];
  const roles = rolesOn(name);
  return GATES.has(on) || !roles.includes('mutator') ? roles : ['mutator'];
}

/** Returns all hooks of one plugin function: `event` listens to every bus event. */
export const hooksFromPlugin = (one: PluginHook): Hook[] =>
  (one.on === 'event' ? EVENT_WORDS : [one.on]).flatMap((on) => hookFromPlugin({ ...one, on }) ?? []);

/**
 * A plugin may also set the status that it was shown. Whether it did is stored in the return value, which is not used
 * otherwise.
 */
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
