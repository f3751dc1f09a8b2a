/** Starts each real agent at the recorded version, as its agent record describes. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../src/agents/index.ts';
import { bun, CACHE, headlessOf, installed, node22 } from './packages.ts';

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

/**
 * The program and its first arguments. Files that an agent or its runtime would create again in each home (unpacked
 * packages, compiled code) are cached, because they took a third of the processor time.
 */
export async function programOf(agent: AgentName): Promise<readonly [string, ...string[]]> {
  const { npm } = await headlessOf(agent);
  const program = await installed(agent);
  const kept = {
    ...(npm.by === 'node22' && { NODE_COMPILE_CACHE: join(CACHE, 'compiled') }),
    ...npm.once?.(join(CACHE, agent, 'once')),
  };
  const line = npm.by === null ? ([program] as const) : ([RUNTIMES[npm.by](), program] as const);
  const words = Object.entries(kept).map(([name, value]) => `${name}=${value}`);
  return words.length === 0 ? line : ['/usr/bin/env', ...words, ...line];
}

export async function startOf(agent: AgentName, { url }: Ground): Promise<Start> {
  const { args, env } = await headlessOf(agent);
  const [file, ...first] = await programOf(agent);
  return { file, args: [...first, ...args(PROMPT, url)], env: env(url) };
}

/** Writes files that an agent needs before anyhook is installed into it. */
export async function settle(agent: AgentName, { home, url }: Ground): Promise<void> {
  const { files } = await headlessOf(agent);
  for (const [name, text] of Object.entries(files(url))) {
    const file = join(home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
