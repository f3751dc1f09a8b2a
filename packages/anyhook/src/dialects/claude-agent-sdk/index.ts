import type { Dialect } from '../../canon/dialect.ts';
import { FAILED_RESULT } from '../../canon/failed-result.ts';
import { can } from '../claude-code/can.ts';
import { words } from '../claude-code/names.ts';
import { tools } from '../claude-code/tools.ts';
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
