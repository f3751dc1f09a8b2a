import { types } from 'node:util';
import { isFields } from '../../../events/fields.ts';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import { inTime } from './in-time.ts';
import { ownCopy } from './own-copy.ts';
import type { LivePlugin } from './start-plugin.ts';
import type { Hooks } from './types/index.ts';

export interface TriggerTerms {
  /** Timeout for each hook. */
  readonly timeoutMs: number;
  /** Called for an invalid answer. */
  readonly report: (plugin: LivePlugin, name: keyof Hooks, message: string) => void;
}

/**
 * Calls the plugins one after another on one shared `output`, and returns it. Each gets its own copy of `input`.
 * Rejects if a hook throws or times out, and skips the hooks after it.
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
    const word = name as keyof Hooks; // an unknown name finds no hook
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

/** A refusal stands, whatever a later plugin writes. An unknown status asks the user, as in OpenCode. */
function settleStatus(output: object, wasDenied: boolean, report: (message: string) => void): boolean {
  const wanted = Reflect.get(output, 'status') as unknown;
  const isDenied = wasDenied || wanted === 'deny';
  const status = isDenied ? 'deny' : STATUS.includes(wanted) ? wanted : 'ask';
  if (!STATUS.includes(wanted))
    report(`status is "ask", "allow" or "deny", not ${shown(wanted)}; treated as ${JSON.stringify(status)}`);
  // Defined instead of assigned, because a getter in its place could return another value.
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
/** Returns an error whose message can be read without running plugin code; a genuine error is returned unchanged. */
function toError(thrown: unknown): Error {
  const { message } = describeThrown(thrown);
  if (!types.isProxy(thrown) && types.isNativeError(thrown) && ownText(thrown, 'message') === message)
    return thrown;
  if (thrown instanceof DOMException) return thrown;
  return new Error(message);
}

const ownText = (thrown: object, key: string): unknown => Object.getOwnPropertyDescriptor(thrown, key)?.value;
