/** Kills real processes at random moments. ROUNDS=200 for the long run. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ground, linesIn } from './fixtures/ground.ts';
import { headFileOf, journalFileOf } from './store.ts';
import { verify } from './verify.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 20);
const script = (name: string) => fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url));

/** Starts a writer, kills it some time after its first acknowledgement, and returns what it acknowledged. */
async function killed(name: string, args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [script(name), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
  child.kill('SIGKILL');
  await once(child, 'close');
  return said.split('\n').slice(0, -1);
}

const seqsIn = (file: string) =>
  new Set(
    existsSync(file) ? linesIn(file).map((line) => String((JSON.parse(line) as { seq: number }).seq)) : [],
  );

describe('kill -9', () => {
  test(
    'kill -9 loses no acknowledged record, and the next process continues the chain',
    { timeout: 60_000 + ROUNDS * 5_000 },
    async () => {
      const { folder, heads } = ground();
      const file = journalFileOf(folder, 's-1');
      let acknowledged = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const seqs = await killed('write-forever', [folder, heads]);
        const written = seqsIn(file);
        expect(seqs.filter((seq) => !written.has(seq))).toEqual([]);
        acknowledged += seqs.length;
      }
      expect(acknowledged).toBeGreaterThan(ROUNDS);
      const verified = verify(file, headFileOf(heads, 's-1'));
      expect(verified.problems).toEqual([]);
      expect(verified.records).toBeGreaterThanOrEqual(acknowledged);
    },
  );

  test(
    'control: a writer that acknowledges before it writes loses records',
    { timeout: 120_000 },
    async () => {
      const { root } = ground();
      let lost = 0;
      for (let round = 0; round < 5; round++) {
        const file = join(root, `batched-${round}.jsonl`);
        const seqs = await killed('write-batched', [file]);
        const written = seqsIn(file);
        lost += seqs.filter((seq) => !written.has(seq)).length;
      }
      expect(lost).toBeGreaterThan(0);
    },
  );
});

describe('several processes', () => {
  test(
    'several processes write one file at once without a torn line, each with its own chain',
    { timeout: 120_000 },
    async () => {
      const { folder, heads } = ground();
      const children = [0, 100, 20_000, 100_000].map((size) =>
        spawn(process.execPath, [script('write-forever'), folder, heads, '150', String(size)], {
          stdio: ['ignore', 'ignore', 'inherit'],
        }),
      );
      await Promise.all(children.map((child) => once(child, 'close')));
      const file = journalFileOf(folder, 's-1');
      expect(verify(file, headFileOf(heads, 's-1'))).toEqual({
        ok: true,
        records: 600,
        problems: [],
        notes: [],
      });
      const records = linesIn(file).map((line) => JSON.parse(line) as { writer: string; before: unknown });
      expect(new Set(records.map(({ writer }) => writer)).size).toBe(4);
    },
  );
});
