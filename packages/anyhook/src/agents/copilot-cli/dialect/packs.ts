import { settingsPacks } from '../../../events/pack.ts';

export const packs = settingsPacks({ dialect: 'copilot-cli', project: /^\.github\/hooks\/[^/]+\.json$/ });
