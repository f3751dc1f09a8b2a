import { join } from 'node:path';
import { can } from '../../dialects/cursor/can.ts';
import type { Agent } from '../shared/agent.ts';
import { USUAL_WORDS } from '../shared/mcp-settings.ts';
import { UNKNOWN_ROUTE } from '../shared/side-routes.ts';
import { bridge, managedTier } from './bridge.ts';

export const cursorAgent: Agent<'cursor'> = {
  name: 'cursor',
  shown: 'Cursor',
  dialect: 'cursor',
  program: { name: 'cursor-agent', npm: null, places: [], quiet: {} },
  seen: [],
  can,
  unseen: {},
  failure: 'the wrapped entry refuses; "failClosed" covers its time-out',
  notes: [
    'All of this is from the published documents of Cursor: it was not seen in a real run.',
    'Cursor may also run hooks of Claude Code, if it is told to (third-party hooks): those are run by us as well.',
  ],
  ownHooks: ['cursor'],
  projectHooks: 'unknown',
  neverFires: null,
  marks: ['CURSOR_AGENT'],
  sessionVariable: null,
  sideRoutes: {
    subagents: UNKNOWN_ROUTE,
    mcp: UNKNOWN_ROUTE,
    background: UNKNOWN_ROUTE,
    stdin: UNKNOWN_ROUTE,
    code: UNKNOWN_ROUTE,
    bang: UNKNOWN_ROUTE,
    slash: UNKNOWN_ROUTE,
    resumed: UNKNOWN_ROUTE,
    worktree: UNKNOWN_ROUTE,
  },
  tellsSubagents: null,
  bridge,
  managed: managedTier,
  trust: null,
  mcp: {
    files: ({ scope, home, cwd }) => [join(scope === 'project' ? cwd : home, '.cursor', 'mcp.json')],
    format: 'json',
    under: 'mcpServers',
    words: USUAL_WORDS,
  },
  guarded: ({ home }) => [join(home, '.cursor', 'hooks')],
  unhookedBy: [],
  inside: null,
  headless: null,
};
