import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { homeOrProject, JSON_SERVERS } from '../shared/mcp-settings.ts';
import { UNKNOWN_ROUTES } from '../shared/side-routes.ts';
import { bridge, managedTier } from './bridge.ts';
import { can } from './dialect/can.ts';

export const cursorAgent: Agent<'cursor'> = {
  ...COMMAND_AGENT,
  name: 'cursor',
  shown: 'Cursor',
  dialect: 'cursor',
  program: { name: 'cursor-agent', npm: null, places: [], quiet: {} },
  seen: [],
  can,
  failure: 'the wrapped entry refuses; "failClosed" covers its timeout',
  notes: [
    'This support is based on the published documentation of Cursor and was not tested with a real run.',
    'If third-party hooks are enabled, Cursor also runs Claude Code hooks itself. anyhook runs them too.',
  ],
  ownHooks: ['cursor'],
  projectHooks: 'unknown',
  marks: ['CURSOR_AGENT'],
  versionField: 'cursor_version',
  sideRoutes: UNKNOWN_ROUTES,
  tellsSubagents: null,
  usage: null,
  bridge,
  managed: managedTier,
  mcp: { ...JSON_SERVERS, files: homeOrProject('.cursor/mcp.json') },
  guarded: ({ home }) => [join(home, '.cursor', 'hooks')],
  unhookedBy: [],
  headless: null,
};
