import type { Dialect } from '../../../events/dialect.ts';
import { can } from './can.ts';
import { moduleFinder } from './module-finder.ts';
import { failure, sharing } from './sharing.ts';
import { words } from './names.ts';
import { output } from './output.ts';
import { packs } from './packs.ts';
import { payload } from './payload.ts';
import { config } from './pi-settings.ts';
import { otherTools, tools } from './tools.ts';

export const ohMyPi: Dialect<'oh-my-pi'> = {
  name: 'oh-my-pi',
  words,
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
