import { EVERYTHING } from '../../../events/capabilities.ts';
import type { Dialect } from '../../../events/dialect.ts';
import { readConfig } from './config.ts';
import { failure, opaque } from './failure.ts';
import { sharing } from './sharing.ts';
import { WORDS } from './names.ts';
import * as output from './output.ts';
import { packs } from './packs.ts';
import * as payload from './payload.ts';
import { places } from './places.ts';
import { TOOL_COLUMN } from './tools.ts';

export { modulePlaces, type ModulePlace } from './places.ts';
export { readMatcher, type OwnMatcherRead } from './match.ts';

/** Our own dialect: the canon's words as they are. */
export const anyhook: Dialect<'anyhook'> = {
  name: 'anyhook',
  words: WORDS,
  tools: TOOL_COLUMN,
  sharing,
  failure,
  opaque,
  can: EVERYTHING,
  config: {
    entry: {
      matcher: { key: 'match', in: 'entry' },
      timeout: { key: 'timeoutMs', unit: 'ms' },
      failsClosed: '"onFailure": "block"',
    },
    places,
    read: readConfig,
  },
  payload: { read: payload.readPayload, write: payload.writePayload },
  packs,
  output: { read: output.read, write: output.write },
};
