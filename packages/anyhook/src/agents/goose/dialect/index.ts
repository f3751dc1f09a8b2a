import type { Dialect } from '../../../events/dialect.ts';
import { FAILED_RESULT } from '../../../events/failed-result.ts';
import { can } from './can.ts';
import { config } from './config.ts';
import { gooseHookSet } from './hook-set.ts';
import { failure, sharing } from './sharing.ts';
import { words } from './names.ts';
import { payload } from './payload.ts';
import { readReply } from './read-reply.ts';
import { otherTools, tools } from './tools.ts';
import { writeReply } from './write-reply.ts';

export const goose: Dialect<'goose'> = {
  name: 'goose',
  words,
  retells: { 'tool.after': FAILED_RESULT },
  tools,
  otherTools,
  sharing,
  failure,
  can,
  config,
  hookSet: gooseHookSet,
  payload,
  output: { read: readReply, write: writeReply },
};
