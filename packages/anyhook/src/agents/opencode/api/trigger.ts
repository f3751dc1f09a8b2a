import { types } from 'node:util';
import { isFields } from '../../../events/fields.ts';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import { inTime } from './in-time.ts';
import { ownCopy } from './own-copy.ts';
import type { LivePlugin } from './start-plugin.ts';
import type { Hooks } from './types/index.ts';

export interface TriggerTerms {
  /** For each hook, from its own start. */
  readonly timeoutMs: number;
  /** Told about an answer that is none. */
  readonly report: (plugin: LivePlugin, name: keyof Hooks, message: string) => void;
}

/**
 * One plugin after another, on one shared `output`, which is also what comes back. Each gets its own copy of `input`.
 * Rejects with what a hook throws, or when its time is up; the hooks behind it are not called then.
 */
export async function trigger<T>(
  plugins: readonly LivePlugin[],
  name: string,
  input: unknown,
  output: T,
  terms: TriggerTerms,
): Promise<T> {
  let isDenied = false;
  for (const plugin of plugins) {
    const word = name as keyof Hooks; // a name that no plugin has finds nothing
    const call = plugin.calls.get(word);
    if (call === undefined) continue;
    try {
      const who = () => `the hook ${JSON.stringify(name)} of ${plugin.target.spec}`;
      await inTime(() => call(ownCopy(input), output), { timeoutMs: terms.timeoutMs, who });
    } catch (thrown) {
      throw toError(thrown);
    }
    if (name === 'permission.ask' && isFields(output))
      isDenied = settleStatus(output, isDenied, (message) => terms.report(plugin, word, message));
  }
  return output;
}

const STATUS: readonly unknown[] = ['ask', 'allow', 'deny'];

/** A refusal stays, whatever a later plugin writes; a word that is none asks the person, as in OpenCode. */
function settleStatus(output: object, wasDenied: boolean, report: (message: string) => void): boolean {
  const said = Reflect.get(output, 'status') as unknown;
  const isDenied = wasDenied || said === 'deny';
  const status = isDenied ? 'deny' : STATUS.includes(said) ? said : 'ask';
  if (!STATUS.includes(said))
    report(`status is "ask", "allow" or "deny", not ${shown(said)}; treated as ${JSON.stringify(status)}`);
  // Defined, not assigned: a getter in its place would go on saying something else.
  Object.defineProperty(output, 'status', {
    value: status,
    enumerable: true,
    writable: true,
    configurable: true,
  });
  return isDenied;
}

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value)
    : typeof value === 'object'
      ? 'an object'
      : describeThrown(value).message.replace(/^threw /, '');
/** An error whose message can be read without running code of whoever threw it; the plugin's own where it is one. */
function toError(thrown: unknown): Error {
  const { message } = describeThrown(thrown);
  if (!types.isProxy(thrown) && types.isNativeError(thrown) && ownText(thrown, 'message') === message)
    return thrown;
  if (thrown instanceof DOMException) return thrown;
  return new Error(message);
}

const ownText = (thrown: object, key: string): unknown => Object.getOwnPropertyDescriptor(thrown, key)?.value;
