import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { commandsIn } from './analyse.ts';
import { hasBash } from './fixtures/has-bash.ts';
import { PROGRAMS, script } from './fixtures/scripts.ts';

/** 300 in the everyday suite; `ANYHOOK_BASH_RUNS=5000` for the long one. A failure prints the seed. */
const RUNS = Number(process.env['ANYHOOK_BASH_RUNS'] ?? 300);
const SEED = Number(process.env['ANYHOOK_BASH_SEED'] ?? Date.now() % 2 ** 31);

describe.skipIf(!hasBash)('compared with what bash really runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-differential-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test(
    'every command that bash runs is found, and nothing is called unjudgeable',
    async () => {
      const scripts = fc.sample(script, { numRuns: RUNS, seed: SEED });
      const executed = await runAll(folder, scripts);
      const found = scripts.map((text) => commandsIn(text));
      const missed = scripts.flatMap((text, at) => {
        const names = new Set(found[at]?.commands.map((command) => command.words[0]));
        const lost = [...(executed[at] ?? [])].filter((name) => !names.has(name));
        const doubts = found[at]?.unjudgeable ?? [];
        return lost.length + doubts.length > 0 ? [{ seed: SEED, text, lost, doubts }] : [];
      });
      expect(missed.slice(0, 5)).toEqual([]);
      const total = executed.reduce((sum, names) => sum + names.size, 0);
      expect(total).toBeGreaterThan(RUNS * 2);

      const naive = scripts.filter((text, at) => {
        const names = new Set(text.split(/&&|\|\||[;|&\n]/).map((part) => part.trim().split(/\s/)[0]));
        return [...(executed[at] ?? [])].some((name) => !names.has(name));
      });
      expect(naive.length).toBeGreaterThan(RUNS / 2);
    },
    60_000 + RUNS * 500,
  );
});

/** The names of the programs each script ran. */
async function runAll(folder: string, scripts: readonly string[]): Promise<Set<string>[]> {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of PROGRAMS) {
    writeFileSync(join(bin, name), '#!/bin/sh\necho "${0##*/}" >> "$LOG"\n');
    chmodSync(join(bin, name), 0o755);
  }
  for (const [at, text] of scripts.entries()) writeFileSync(join(folder, `${at}.sh`), text);
  const driver = `for f in ./*.sh; do LOG="$PWD/$f.log" bash --norc "$f" </dev/null >/dev/null 2>&1; done`;
  await new Promise<void>((resolve, reject) => {
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder };
    const child = spawn('bash', ['--norc', '-c', driver], { cwd: folder, stdio: 'ignore', env });
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  return scripts.map((_, at) => {
    const log = join(folder, `${at}.sh.log`);
    return new Set(existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  });
}
