import type { Dialect } from '../../../events/dialect.ts';
import { can } from './can.ts';
import { config } from './config.ts';
import { optaHookSet } from './hook-set.ts';
import { failure, sharing } from './sharing.ts';
import { words } from './names.ts';
import { output } from './output.ts';
import { payload } from './payload.ts';
import { otherTools, tools } from './tools.ts';

export const opta: Dialect<'opta'> = {
  name: 'opta',
  words,
  tools,
  otherTools,
  sharing,
  failure,
  can,
  config,
  hookSet: optaHookSet,
  payload,
  output,
};
