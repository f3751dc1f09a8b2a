/** Published command hooks of Claude Code, as their own pages and files tell people to set them. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Ground } from './ground.ts';
import type { WildPackage } from './packages.ts';

export interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly {
    readonly type: 'command';
    readonly command: string;
    readonly timeout?: number;
    /** It is not waited for, and has no say. */
    readonly async?: boolean;
  }[];
}
export interface ClaudeSettings {
  readonly hooks: Readonly<Record<string, readonly HookGroup[]>>;
  /** From these a plugin learns where it is. */
  readonly env: Readonly<Record<string, string>>;
}

const command = (folder: string, file: string, ...args: string[]): HookGroup['hooks'] => [
  { type: 'command', command: [`node "${join(folder, file)}"`, ...args].join(' ') },
];
/** From the README of each. */
const SETTINGS: Readonly<Record<string, (folder: string) => ClaudeSettings['hooks']>> = {
  'cc-safety-net': (folder) => ({
    PreToolUse: [
      {
        matcher: 'Bash|Read|Edit|Write|Grep',
        hooks: command(folder, 'dist/bin/cc-safety-net.js', 'hook', '--claude-code'),
      },
    ],
  }),
  'block-no-verify': (folder) => ({
    PreToolUse: [{ matcher: 'Bash', hooks: command(folder, 'dist/cli.js') }],
  }),
  'tdd-guard': (folder) => ({
    PreToolUse: [
      { matcher: 'Write|Edit|MultiEdit|TodoWrite', hooks: command(folder, 'dist/cli/tdd-guard.js') },
    ],
    UserPromptSubmit: [{ hooks: command(folder, 'dist/cli/tdd-guard.js') }],
    SessionStart: [{ matcher: 'startup|resume|clear', hooks: command(folder, 'dist/cli/tdd-guard.js') }],
  }),
  /** Its installer puts the scripts where its example looks for them. */
  'claude-hooks-manager': (folder) => {
    const example = readFileSync(join(folder, 'settings.example.json'), 'utf8');
    return (JSON.parse(example.replaceAll('~/.claude/hooks', join(folder, 'hooks'))) as ClaudeSettings).hooks;
  },
};

/** Sets them in a home: in the settings, or as the plugin that they come in. */
export function settleHooks(
  { name, version }: WildPackage,
  folder: string,
  { home }: Pick<Ground, 'home'>,
): ClaudeSettings {
  const base = join(home, '.claude');
  const write = (settings: object) => {
    mkdirSync(base, { recursive: true });
    writeFileSync(join(base, 'settings.json'), JSON.stringify(settings));
  };
  const hooks = SETTINGS[name]?.(folder);
  if (hooks !== undefined) {
    write({ hooks });
    return { hooks, env: {} };
  }
  const root = join(base, 'plugins/cache/wild', name, version);
  mkdirSync(dirname(root), { recursive: true });
  symlinkSync(folder, root);
  write({ enabledPlugins: { [`${name}@wild`]: true } });
  // Claude Code's own register of what is installed, as 2.1.325 writes it.
  const record = { scope: 'user', installPath: root, version };
  writeFileSync(
    join(base, 'plugins/installed_plugins.json'),
    JSON.stringify({ version: 2, plugins: { [`${name}@wild`]: [record] } }),
  );
  const brought = JSON.parse(readFileSync(join(root, 'hooks/hooks.json'), 'utf8')) as ClaudeSettings;
  const data = join(base, 'plugins/data', `${name}-wild`);
  return { hooks: brought.hooks, env: { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: data } };
}
