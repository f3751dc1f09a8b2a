/** Published command hooks of Claude Code, as their own pages tell people to set them. */
import { join } from 'node:path';
import type { WildPackage } from './packages.ts';

interface Group {
  readonly matcher?: string;
  readonly hooks: readonly {
    readonly type: 'command';
    readonly command: string;
    readonly timeout?: number;
  }[];
}
interface ClaudeSettings {
  readonly hooks: Readonly<Record<string, readonly Group[]>>;
}

const command = (folder: string, file: string, ...args: string[]): Group['hooks'] => [
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
};
export const claudeSettings = ({ name }: WildPackage, folder: string): ClaudeSettings => ({
  hooks: SETTINGS[name]!(folder),
});
