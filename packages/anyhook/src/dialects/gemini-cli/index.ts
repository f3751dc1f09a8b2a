import type { Dialect } from '../../canon/dialect.ts';
import { can } from './can.ts';
import { config } from './config.ts';
import { words } from './events.ts';
import { failure, sharing } from './sharing.ts';
import { packs } from './packs.ts';
import { payload } from './payload.ts';
import { readReply } from './read-reply.ts';
import { otherTools, tools } from './tools.ts';
import { writeReply } from './write-reply.ts';

export const geminiCli: Dialect<'gemini-cli'> = {
  name: 'gemini-cli',
  words,
  tools,
  otherTools,
  projectVariable: 'GEMINI_PROJECT_DIR',
  sharing,
  failure,
  can,
  config,
  payload,
  packs,
  output: { read: readReply, write: writeReply },
};
