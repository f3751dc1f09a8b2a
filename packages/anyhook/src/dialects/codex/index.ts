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

/** Codex CLI: Claude Code's words in a stricter mouth. */
export const codex: Dialect<'codex'> = {
  name: 'codex',
  words,
  tools,
  otherTools,
  sharing,
  failure,
  can,
  config,
  payload,
  packs,
  output: { read: readReply, write: writeReply },
};
