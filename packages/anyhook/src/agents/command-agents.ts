/** Agents that start a command for every event: Claude Code, Codex, Gemini CLI, Goose. */
import { isAbsolute, join } from 'node:path';
import type { Bridge, Setup, Where } from './bridge.ts';
import { closedLine, commandLine } from './command-line.ts';

/** What the agent waits, and what is ours of it. */
const USUAL = { host: 600_000, ours: 590_000 };
interface Time {
  readonly host: number;
  readonly ours: number;
}
interface Words {
  readonly agent: string;
  readonly guard: string;
  readonly words: readonly string[];
  readonly times?: Readonly<Record<string, Time>>;
}

type Entry = (line: string, hostMs: number, word: string, isClosed: boolean) => object;

function entriesOf({ agent, guard, words, times = {} }: Words, setup: Setup, entry: Entry) {
  return Object.fromEntries(
    words.map((word) => {
      const { host, ours } = times[word] ?? USUAL;
      const asked = { agent, dialect: agent, deadlineMs: ours };
      const isClosed = word === guard && setup.failure === 'closed';
      const line = isClosed ? closedLine(setup, asked) : commandLine(setup, asked);
      return [word, entry(line, host, word, isClosed)];
    }),
  );
}

const CLAUDE: Words = {
  agent: 'claude-code',
  guard: 'PreToolUse',
  words: [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'PostToolUseFailure',
    'Notification',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'StopFailure',
    'PreCompact',
    'PostCompact',
    'SessionEnd',
  ],
  times: { SessionEnd: { host: 10_000, ours: 9_000 } },
};
const claudeCode: Bridge = {
  dialect: 'claude-code',
  pieces: (where, setup) => [
    {
      kind: 'entries',
      file: claudeFile(where),
      entries: entriesOf(CLAUDE, setup, (command, hostMs, _, isClosed) => ({
        hooks: [
          { type: 'command', command, timeout: hostMs / 1000, ...(isClosed && { onFailure: 'block' }) },
        ],
      })),
    },
  ],
};
/** Of a project the local file: a path of this machine has no place in one that is shared. */
function claudeFile({ scope, home, cwd, env }: Where): string {
  if (scope === 'project') return join(cwd, '.claude', 'settings.local.json');
  const named = env['CLAUDE_CONFIG_DIR'] ?? '';
  return join(isAbsolute(named) ? named : join(home, '.claude'), 'settings.json');
}

const CODEX: Words = {
  agent: 'codex',
  guard: 'PreToolUse',
  words: [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'PreCompact',
    'PostCompact',
    'SessionEnd',
  ],
  times: { SessionEnd: { host: 3_000, ours: 2_500 } },
};
const codex: Bridge = {
  dialect: 'codex',
  pieces: ({ scope, home, cwd, env }, setup) => {
    const named = env['CODEX_HOME'] ?? '';
    const user = isAbsolute(named) ? named : join(home, '.codex');
    return [
      {
        kind: 'entries',
        file: join(scope === 'project' ? join(cwd, '.codex') : user, 'hooks.json'),
        entries: entriesOf(CODEX, setup, (command, hostMs) => ({
          hooks: [{ type: 'command', command, timeout: hostMs / 1000 }],
        })),
      },
    ];
  },
};

const GEMINI: Words = {
  agent: 'gemini-cli',
  guard: 'BeforeTool',
  words: [
    'SessionStart',
    'BeforeAgent',
    'BeforeTool',
    'AfterTool',
    'AfterAgent',
    'Notification',
    'SessionEnd',
  ],
};
const geminiCli: Bridge = {
  dialect: 'gemini-cli',
  pieces: ({ scope, home, cwd }, setup) => [
    {
      kind: 'entries',
      file: join(scope === 'project' ? cwd : home, '.gemini', 'settings.json'),
      entries: entriesOf(GEMINI, setup, (command, hostMs) => ({
        matcher: '*',
        hooks: [{ type: 'command', name: 'anyhook', command, timeout: hostMs }],
      })),
    },
  ],
};

/** `BeforeShellExecution` and the like are second words for the same call: bridged, a guard would hear it twice. */
const GOOSE: Words = {
  agent: 'goose',
  guard: 'PreToolUse',
  words: [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'AfterFileEdit',
    'Stop',
    'SessionEnd',
  ],
};
const goose: Bridge = {
  dialect: 'goose',
  pieces: ({ scope, home, cwd }, setup) => {
    const folder = join(scope === 'project' ? cwd : home, '.agents', 'plugins', 'anyhook');
    const entries = entriesOf(GOOSE, setup, (command, hostMs, _, isClosed) => ({
      hooks: [{ type: 'command', command, timeout: hostMs / 1000, ...(isClosed && { on_failure: 'block' }) }],
    }));
    const hooks = Object.fromEntries(Object.entries(entries).map(([word, group]) => [word, [group]]));
    const manifest = {
      name: 'anyhook',
      version: '1.0.0',
      description: 'The bridge to anyhook; taken away by `anyhook uninstall goose`',
    };
    return [
      { kind: 'whole', file: join(folder, 'plugin.json'), text: printed(manifest) },
      { kind: 'whole', file: join(folder, 'hooks', 'hooks.json'), text: printed({ hooks }) },
    ];
  },
};
const printed = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

export const COMMAND_AGENTS = { 'claude-code': claudeCode, codex, 'gemini-cli': geminiCli, goose } as const;
