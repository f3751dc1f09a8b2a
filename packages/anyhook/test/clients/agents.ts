/** How each real agent is started here: by its own record, from what was installed at the version that was last seen. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../src/agents/index.ts';
import { bun, headlessOf, installed, node22 } from './packages.ts';

export interface Ground {
  readonly home: string;
  readonly url: string;
}
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const PROMPT = 'Please do the task.';
const RUNTIMES = { node: () => process.execPath, node22, bun } as const;

/** What starts it, with the words that go before all others. */
export async function programOf(agent: AgentName): Promise<readonly [string, ...string[]]> {
  const { npm } = await headlessOf(agent);
  const program = await installed(agent);
  return npm.by === null ? [program] : [RUNTIMES[npm.by](), program];
}

export async function startOf(agent: AgentName, { url }: Ground): Promise<Start> {
  const { args, env } = await headlessOf(agent);
  const [file, ...first] = await programOf(agent);
  return { file, args: [...first, ...args(PROMPT, url)], env: env(url) };
}

/** Files that an agent needs before anything is installed into them. */
export async function settle(agent: AgentName, { home, url }: Ground): Promise<void> {
  const { files } = await headlessOf(agent);
  for (const [name, text] of Object.entries(files(url))) {
    const file = join(home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
