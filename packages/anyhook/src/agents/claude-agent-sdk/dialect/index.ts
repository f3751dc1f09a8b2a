import type { Dialect } from '../../../events/dialect.ts';
import { FAILED_RESULT } from '../../../events/failed-result.ts';
import { can } from '../../claude-code/dialect/can.ts';
import { words } from '../../claude-code/dialect/names.ts';
import { tools } from '../../claude-code/dialect/tools.ts';
import { failure, sharing } from './sharing.ts';
import { output } from './output.ts';
import { payload } from './payload.ts';

/** Callbacks are given in code: there is no file to be found or read. */
const config: Dialect['config'] = {
  places: () => [],
  read: () => ({ hooks: [], modules: [], problems: [] }),
};

export const claudeAgentSdk: Dialect<'claude-agent-sdk'> = {
  name: 'claude-agent-sdk',
  words,
  retells: { 'tool.after': FAILED_RESULT },
  tools,
  projectVariable: 'CLAUDE_PROJECT_DIR',
  sharing,
  failure,
  allowSkipsOwnQuestions: true,
  can,
  config,
  payload,
  output,
};
