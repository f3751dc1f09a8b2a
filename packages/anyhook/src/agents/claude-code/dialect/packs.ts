import { settingsPacks } from '../../../events/pack.ts';

export const packs = settingsPacks({
  dialect: 'claude-code',
  manifest: '.claude-plugin/plugin.json',
  needsNoManifest: true,
  marketplace: '.claude-plugin/marketplace.json',
  project: /^\.claude\/settings(?:\.local)?\.json$/,
});
