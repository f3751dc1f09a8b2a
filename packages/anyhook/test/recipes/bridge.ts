/** A home with one agent's bridge in it, spoken to as that agent speaks: the line of its settings, or the file that it loads. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import { findDialect } from '../../src/dialects.ts';
import type { Grades } from '../../src/events/capabilities.ts';
import type { Effect } from '../../src/events/effects.ts';
import type { Hook } from '../../src/events/hook.ts';
import type { Sent } from './recorded.ts';

const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));
const INSIDE = fileURLToPath(new URL('inside.mjs', import.meta.url));
const run = promisify(execFile);

export interface World {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}
/** What the agent makes of the answer. */
export interface Said {
  readonly verdict: 'none' | 'ask' | 'deny' | 'resume';
  /** Everything that it was told: reasons, words for the model, what is put in the place of something. */
  readonly text: string;
}
export interface Bridge {
  /** Undefined: the agent does not start us for this event. */
  send(sent: Sent): Promise<Said | undefined>;
  close(): Promise<void>;
}

export async function openBridge(agent: AgentName, world: World): Promise<Bridge> {
  await run(process.execPath, [CLI, 'install', agent, '--json'], { cwd: world.project, env: world.env });
  const where = { scope: 'user', home: world.home, cwd: world.project, env: {} } as const;
  const { file } = AGENTS[agent].bridge(where).at(-1)!;
  return (AGENTS[agent].inside === null ? lineIn : insideOf)(agent, file, world);
}

/** By the agent's own rules: its dialect reads what was printed. */
function lineIn(agent: AgentName, file: string, { project, env }: World): Bridge {
  const text = readFileSync(file, 'utf8');
  const dialect = findDialect(AGENTS[agent].dialect)!;
  return {
    async send({ word, native }) {
      const line = lineFor(word, file, text);
      if (line === undefined) return undefined;
      const { code, stdout, stderr } = await printed(line, JSON.stringify(native), project, env);
      const event = dialect.payload.read(native, env);
      const hook = { on: word, background: false, run: { kind: 'command' } } as Hook; // all that a reader looks at
      const { effects } = dialect.output.read({ kind: 'exited', code, stdout, stderr }, event, hook);
      // What an agent was seen to pass over is said to it all the same; it is no refusal.
      const grades: Grades = AGENTS[agent].can[event.name] ?? {};
      const obeyed = effects.filter(({ kind }) => grades[kind] !== undefined);
      return { verdict: verdictOf(obeyed), text: `${stdout}\n${stderr}` };
    },
    close: async () => {},
  };
}

function lineFor(word: string, file: string, text: string): string | undefined {
  if (file.endsWith('.toml')) {
    const [, command] = new RegExp(`^event = "${word}"\\ncommand = (".*")$`, 'm').exec(text) ?? [];
    return command === undefined ? undefined : (JSON.parse(command) as string);
  }
  const { hooks } = JSON.parse(text) as { hooks: Record<string, unknown> };
  const [, command] = /"command":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(hooks[word]) ?? '') ?? [];
  return command === undefined ? undefined : (JSON.parse(command) as string);
}

const printed = (line: string, stdin: string, cwd: string, env: World['env']) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile('/bin/sh', ['-c', line], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end(stdin);
  });

const verdictOf = (effects: readonly Effect[]): Said['verdict'] =>
  (['deny', 'ask', 'resume'] as const).find((kind) => effects.some((effect) => effect.kind === kind)) ??
  'none';

/** A process of its own, as the agent is one: it loads the file, and is told what to call. */
function insideOf(agent: AgentName, file: string, { project, env }: World): Bridge {
  const child = spawn(process.execPath, [INSIDE, agent, file, project], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async send(sent) {
      child.stdin.write(`${JSON.stringify(sent)}\n`);
      const { value } = (await lines.next()) as { value?: string };
      return JSON.parse(value ?? 'null') ?? undefined;
    },
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
