import type { Dialect } from '../../canon/dialect.ts';
import { can } from './can.ts';
import { config } from './config.ts';
import { failure, manner } from './manner.ts';
import { words } from './names.ts';
import { payload } from './payload.ts';
import { readReply } from './read-reply.ts';
import { tools } from './tools.ts';
import { writeReply } from './write-reply.ts';

export const goose: Dialect = {
  name: 'goose',
  words,
  tools,
  manner,
  failure,
  can,
  config,
  payload,
  output: { read: readReply, write: writeReply },
};
