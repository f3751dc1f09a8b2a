import { settingsPacks } from '../../../events/pack.ts';

export const packs = settingsPacks({
  dialect: 'codex',
  manifest: '.codex-plugin/plugin.json',
  marketplace: '.agents/plugins/marketplace.json',
  project: /^\.codex\/hooks\.json$/,
});
