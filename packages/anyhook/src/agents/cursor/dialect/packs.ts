import { settingsPacks } from '../../../events/pack.ts';

export const packs = settingsPacks({
  dialect: 'cursor',
  manifest: '.cursor-plugin/plugin.json',
  marketplace: '.cursor-plugin/marketplace.json',
  project: /^\.cursor\/hooks\.json$/,
});
