import { settingsPacks } from '../../../events/pack.ts';

export const packs = settingsPacks({
  dialect: 'gemini-cli',
  manifest: 'gemini-extension.json',
  project: /^\.gemini\/settings\.json$/,
});
