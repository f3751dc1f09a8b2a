/** Converts the end of a call to its answer or one of the five errors: a table with one line per kind. */

import { describeThrown } from '../../../runners/module/thrown.mjs';
import { checkOutput } from '../dialect/check-output.ts';
import type { HookJSONOutput } from '../dialect/hook-output.ts';
import { HookCancelledError, HookPanicError, HookTimeoutError, InvalidHookOutputError } from './errors.ts';
import type { CallbackEnd } from './execute.ts';
import type { WarnLog } from './log.ts';
import type { RegisteredCallback } from './types.ts';

export function outputOf(ended: CallbackEnd, registered: RegisteredCallback, log: WarnLog): HookJSONOutput {
  const ending = ENDINGS[ended.kind] as (
    ended: CallbackEnd,
    registered: RegisteredCallback,
    log: WarnLog,
  ) => HookJSONOutput;
  return ending(ended, registered, log); // the key of the table is the kind of the value
}

type Ending<K extends CallbackEnd['kind']> = (
  ended: Extract<CallbackEnd, { kind: K }>,
  registered: RegisteredCallback,
  log: WarnLog,
) => HookJSONOutput;

const ENDINGS: { readonly [K in CallbackEnd['kind']]: Ending<K> } = {
  returned: ({ value }, registered, log) => validated(value, registered, log),
  threw: ({ error }, registered, log) => {
    throw panic(error, registered, log);
  },
  'gave-up': ({ after, reason }, registered, log) => {
    throw abandoned(after, reason, registered, log);
  },
};

function validated(value: unknown, { id, event }: RegisteredCallback, log: WarnLog): HookJSONOutput {
  const checked = checkOutput(event, value);
  if (checked.ok) {
    for (const field of checked.unknown) log('warn', `${id} (${event}) answered an unknown field: ${field}`);
    return checked.output;
  }
  const { field, message } = checked;
  log('error', `invalid output of hook ${id} (${event}): ${message}`, { callbackId: id, event, field });
  throw new InvalidHookOutputError(field, `invalid output of hook ${id} (${event}): ${message}`, {
    callbackId: id,
    event,
  });
}

/** The stack is logged and not sent to the peer. */
function panic(error: unknown, { id, event }: RegisteredCallback, log: WarnLog): HookPanicError {
  const { message, stack } = describeThrown(error);
  log('error', `hook ${id} (${event}) panicked: ${message}`, {
    callbackId: id,
    event,
    panic: message,
    stack,
  });
  return new HookPanicError(`hook panicked: ${message} (see logs for stack trace)`, {
    callbackId: id,
    event,
    cause: error,
  });
}

/** A cancelled call is not an error of the callback; a call that took too long is. */
function abandoned(
  after: 'timeout' | 'cancel',
  reason: unknown,
  { id, event }: RegisteredCallback,
  log: WarnLog,
) {
  const why = describeThrown(reason).message;
  if (after === 'timeout') log('warn', `hook ${id} (${event}) timed out: ${why}`, { callbackId: id, event });
  const details = { callbackId: id, event, cause: reason };
  return after === 'timeout'
    ? new HookTimeoutError(`hook execution timeout: ${id} (${event}): ${why}`, details)
    : new HookCancelledError(`hook execution cancelled: ${id} (${event}): ${why}`, details);
}
