import { types } from 'node:util';
import { describeThrown } from '../../runners/module/thrown.mjs';

/** An error whose message can be read without running code of whoever threw it; the plugin's own where it is one. */
export function toError(thrown: unknown): Error {
  const { message } = describeThrown(thrown);
  if (!types.isProxy(thrown) && types.isNativeError(thrown) && ownText(thrown, 'message') === message)
    return thrown;
  if (thrown instanceof DOMException) return thrown;
  return new Error(message);
}

const ownText = (thrown: object, key: string): unknown => Object.getOwnPropertyDescriptor(thrown, key)?.value;
