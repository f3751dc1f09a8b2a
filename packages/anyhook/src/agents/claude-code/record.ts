import { join } from 'node:path';
import type { Agent } from '../shared/agent.ts';
import { COMMAND_AGENT } from '../shared/families.ts';
import { JSON_SERVERS, USUAL_WORDS } from '../shared/mcp-settings.ts';
import { routesInRun } from '../shared/side-routes.ts';
import { without } from '../shared/without.ts';
import { bridge, claudeFolder, managedTier } from './bridge.ts';
import { can } from './dialect/can.ts';

export const claudeCodeAgent: Agent<'claude-code'> = {
  ...COMMAND_AGENT,
  name: 'claude-code',
  shown: 'Claude Code',
  dialect: 'claude-code',
  program: {
    name: 'claude',
    npm: '@anthropic-ai/claude-code',
    places: ['~/.claude/local'],
    quiet: { DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1' },
  },
  seen: [
    { version: '2.1.326', on: '2026-11-17' },
    { version: '2.1.325', on: '2026-11-16' },
  ],
  // FileChanged is about watched files, not about every edit.
  can: without(can, 'file.edited', 'tool.denied', 'command.before'),
  failure: 'the wrapped entry refuses; "onFailure": "block" covers its timeout',
  ownHooks: ['claude-code'],
  projectHooks: 'always', // in an untrusted folder it runs no hooks at all, including ours
  reportsFailedCommands: true,
  marks: ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT'],
  sideRoutes: routesInRun({ code: 'asked' }),
  tellsSubagents: true,
  usage: {
    from: 'transcript',
    figures: ['tokens', 'cached', 'context', 'subagents'],
    note: 'It states costs when a session ends, so they are known after a session is resumed.',
    reader: async () => (await import('./usage.ts')).usageReader,
  },
  bridge,
  managed: managedTier,
  mcp: {
    ...JSON_SERVERS,
    // Next to its folder, unless that was moved.
    files: (where) => [
      where.scope === 'project'
        ? join(where.cwd, '.mcp.json')
        : join(
            (where.env['CLAUDE_CONFIG_DIR'] ?? '') === '' ? where.home : claudeFolder(where),
            '.claude.json',
          ),
    ],
    words: { ...USUAL_WORDS, type: { program: 'stdio', address: 'http' } },
  },
  guarded: (where) => [join(claudeFolder(where), 'plugins')],
  unhookedBy: ['--bare', '--safe-mode', '"disableAllHooks"', 'CLAUDE_CODE_SIMPLE'],
  headless: async () => (await import('./headless.ts')).headless,
};
