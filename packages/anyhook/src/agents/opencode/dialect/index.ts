import type { Dialect } from '../../../events/dialect.ts';
import { can } from './can.ts';
import { config } from './config.ts';
import { moduleFinder } from './module-finder.ts';
import { failure, sharing } from './sharing.ts';
import { words } from './names.ts';
import { output } from './output.ts';
import { packs } from './packs.ts';
import { payload } from './payload.ts';
import { otherTools, tools } from './tools.ts';

export const opencode: Dialect<'opencode'> = {
  name: 'opencode',
  words,
  calledByLoader: { config: 'the plugin’s first use, with your opencode.json' },
  tools,
  otherTools,
  sharing,
  failure,
  can,
  config,
  moduleFinder,
  payload,
  packs,
  output,
};
