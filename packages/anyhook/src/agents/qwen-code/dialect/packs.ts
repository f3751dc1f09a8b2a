import { settingsPacks } from '../../../events/pack.ts';

export const packs = settingsPacks({ dialect: 'qwen-code', project: /^\.qwen\/settings\.json$/ });
