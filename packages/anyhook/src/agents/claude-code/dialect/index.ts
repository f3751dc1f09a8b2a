import type { Dialect } from '../../../events/dialect.ts';
import { FAILED_RESULT } from '../../../events/failed-result.ts';
import { settingsPacks } from '../../../events/pack.ts';
import { can } from './can.ts';
import { config } from './config.ts';
import { words } from './names.ts';
import { output } from './output.ts';
import { payload } from './payload.ts';
import { failure, sharing } from './sharing.ts';
import { otherTools, tools } from './tools.ts';

const packs = settingsPacks({
  dialect: 'claude-code',
  manifest: '.claude-plugin/plugin.json',
  needsNoManifest: true,
  marketplace: '.claude-plugin/marketplace.json',
  project: /^\.claude\/settings(?:\.local)?\.json$/,
});

export const claudeCode: Dialect<'claude-code'> = {
  name: 'claude-code',
  words,
  substitutes: { 'tool.after': FAILED_RESULT },
  tools,
  otherTools,
  projectVariable: 'CLAUDE_PROJECT_DIR',
  exportsVariable: 'CLAUDE_ENV_FILE',
  sharing,
  failure,
  allowSkipsOwnQuestions: true,
  can,
  longestText: 10_000,
  config,
  payload,
  packs,
  output,
};
