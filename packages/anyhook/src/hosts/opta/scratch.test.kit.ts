import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { createHooks, type Hooks, type Options } from '../../index.ts';
import type { HookContext, HookEvent } from './index.ts';

const made: string[] = [];
const open: Hooks[] = [];
afterEach(async () => {
  for (const hooks of open.splice(0)) await hooks.close();
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A folder of its own, gone after the test. Files are executable. */
export function scratch(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'opta-')));
  made.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text, { mode: 0o755 });
  }
  return root;
}

/** A home and a project. */
export function ground(files: Readonly<Record<string, string>> = {}) {
  const root = scratch(files);
  const [home, cwd] = [join(root, 'home'), join(root, 'project')];
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
  return { root, home, cwd };
}

export async function hooksIn(options: Omit<Options, 'host'>): Promise<Hooks> {
  const hooks = await createHooks({
    host: { name: 'test', can: 'everything' },
    dialects: ['opta'],
    journal: false,
    ...options,
  });
  open.push(hooks);
  return hooks;
}
/** Looks, names every hash it was shown, and opens again: what a person does who has read it all. */
export async function trusting(options: Omit<Options, 'host'>): Promise<Hooks> {
  const { examined } = await hooksIn(options);
  return hooksIn({ ...options, trust: { hashes: examined.map(({ judgement }) => judgement.hash) } });
}

export const context = <E extends HookEvent>(event: E, more: Partial<HookContext> = {}): HookContext => ({
  event,
  session_id: 's1',
  cwd: tmpdir(),
  ...more,
});
export const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');
export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
export async function until(holds: () => boolean, withinMs = 20_000): Promise<void> {
  for (const due = Date.now() + withinMs; Date.now() < due && !holds();) await pause(20);
  expect(holds()).toBe(true);
}
