/** One real agent with our bridge, and a hook of every dialect that keeps its hooks in files: what came of it. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentName } from '../../src/hosts/bridges/capabilities.ts';
import { startModelServer } from '../../src/testing/model-server/index.ts';
import { AGENTS, settle } from './agents.ts';
import { Outside } from './outside.ts';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const { bin } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
  bin: { anyhook: string };
};
const BIN = join(PACKAGE, bin.anyhook);

/** Each refuses the one command that names it. */
export const GUARDS = ['goose', 'opta', 'opencode', 'oh-my-pi', 'claude-code', 'anyhook'] as const;
/** What the model asks for, one call after the other. */
const COMMANDS = [...GUARDS.map((name) => `touch refused-by-${name}`), 'touch before.txt', 'touch ran.txt'];

export interface Seen {
  /** Which of the guards' calls ran all the same. */
  readonly ran: readonly string[];
  /** Which refusals the model was told of. */
  readonly told: readonly string[];
  readonly control: boolean;
  readonly rewritten: boolean;
  readonly original: boolean;
  readonly context: boolean;
  /** Refusals in the journal. */
  readonly recorded: readonly string[];
  readonly outside: readonly string[];
  /** What the model was told, all of it. */
  readonly asked: string;
  readonly output: string;
}

export async function runBridged(agent: AgentName, how: { readonly bridge: boolean }): Promise<Seen> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bridged-')));
  const [home, project, temp] = ['home', 'project', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project, temp]) mkdirSync(folder);
  const outside = new Outside();
  const script = [...COMMANDS.map((shell) => ({ shell })), { text: 'done' }];
  const model = await startModelServer({ script, cwd: project });
  try {
    const proxy = await outside.open();
    const ground = { home, project, url: model.url };
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      TERM: 'dumb',
      LANG: 'C.UTF-8',
      HOME: home,
      TMPDIR: temp,
      ...proxy,
    };
    settle(agent, ground);
    if (how.bridge) {
      writeGuards(home);
      await ran(process.execPath, [BIN, 'install', agent, '--json'], { cwd: project, env });
    }
    const { file, args, env: more } = AGENTS[agent].start(ground);
    const output = await ran(file, args, { cwd: project, env: { ...env, ...more } });
    const has = (name: string) => existsSync(join(project, name));
    const asked = JSON.stringify(model.requests.map(({ body }) => body));
    const journal = journalIn(home);
    return {
      ran: GUARDS.filter((name) => has(`refused-by-${name}`)),
      told: GUARDS.filter((name) => asked.includes(`${name} says no`)),
      control: has('ran.txt'),
      rewritten: has('after.txt'),
      original: has('before.txt'),
      context: asked.includes('remember the milk'),
      recorded: GUARDS.filter((name) => journal.includes(`${name} says no`)),
      outside: outside.reached,
      asked,
      output,
    };
  } finally {
    await model.close();
    outside.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Agents end as they like: what counts is what was done. */
const ran = (
  file: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<string> =>
  new Promise((resolve) => {
    const child = execFile(
      file,
      [...args],
      { ...options, timeout: 110_000, maxBuffer: 1e8 },
      (_, stdout, stderr) => resolve(`${stdout}\n${stderr}`),
    );
    child.stdin?.end();
  });

function journalIn(home: string): string {
  const folder = join(home, '.local/state/anyhook/journal');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** The person's own hooks, each in its dialect's own file. */
function writeGuards(home: string): void {
  const put = (file: string, value: object | string) => {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), typeof value === 'string' ? value : JSON.stringify(value));
  };
  const line = (name: string) => `if grep -q refused-by-${name}; then echo "${name} says no" >&2; exit 2; fi`;
  const group = (name: string) => ({ PreToolUse: [{ hooks: [{ type: 'command', command: line(name) }] }] });
  put('.config/goose/hooks.json', { hooks: group('goose') });
  put('.claude/settings.json', { hooks: group('claude-code') });
  put('.config/opta/config.json', {
    hooks: [
      {
        event: 'tool.pre',
        command: 'case "$OPTA_TOOL_ARGS" in *refused-by-opta*) echo "opta says no" >&2; exit 1;; esac',
      },
    ],
  });
  put(
    '.config/opencode/plugin/guard.js',
    `export const Guard = async () => ({
  'tool.execute.before': async (input, output) => {
    if (JSON.stringify(output.args ?? {}).includes('refused-by-opencode')) throw new Error('opencode says no');
  },
});
`,
  );
  put(
    '.omp/agent/hooks/pre/guard.js',
    `export default function (pi) {
  pi.on('tool_call', async (event) => {
    if (JSON.stringify(event.input ?? {}).includes('refused-by-oh-my-pi')) return { block: true, reason: 'oh-my-pi says no' };
  });
}
`,
  );
  put('.config/anyhook/hooks/guard.mjs', OUR_HOOKS);
}

const OUR_HOOKS = `import { defineHook } from 'anyhook';
export default [
  defineHook({
    on: 'tool.before',
    run: ({ payload }) => {
      const command = String(payload.input.command ?? '');
      if (command.includes('refused-by-anyhook')) return { kind: 'deny', reason: 'anyhook says no' };
      if (command.includes('before.txt'))
        return { kind: 'set', at: ['input', 'command'], to: command.replace('before.txt', 'after.txt') };
    },
  }),
  defineHook({ on: 'tool.after', run: () => ({ kind: 'context', text: 'remember the milk' }) }),
];
`;
