/**
 * Reads settings, a journal with its head, and a trust record as earlier versions wrote them. A new format adds a
 * folder; none is removed.
 */

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readFile, verify } from '../../src/journal/index.ts';
import { ground, USER } from '../../src/library/fixtures/ground.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { readTrustRecord } from '../../src/settings/trust/record.ts';

const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const scratch = mkdtempSync(join(tmpdir(), 'anyhook-formats-'));
afterAll(() => removeTree(scratch));

/** The content of the project in the stored trust record. */
const PROJECT = {
  'project/.anyhook/hooks.json': '{"version":1,"hooks":{"tool.before":[{"run":".anyhook/guard.sh"}]}}\n',
  'project/.anyhook/guard.sh': '#!/bin/sh\nexit 0\n',
};
const call = (command: string) =>
  ({ name: 'tool.before', payload: { tool: 'shell', input: { command } } }) as const;

describe.each(VERSIONS)('files of version %s', (version) => {
  const at = (name: string) => join(import.meta.dirname, version, name);
  const kept = (name: string) => readFileSync(at(name), 'utf8');

  test('a journal of an earlier version is read and verified', () => {
    expect(verify(at('session.jsonl'), at('session.head'))).toEqual({
      ok: true,
      records: 3,
      problems: [],
      notes: expect.any(Array),
    });
    const records = [...readFile(at('session.jsonl'))].map((entry) =>
      entry.kind === 'record' ? [entry.record.v, entry.record.event, entry.record.verdict] : entry,
    );
    expect(records).toEqual([
      [1, 'tool.before', 'none'],
      [1, 'tool.before', 'deny'],
      [1, 'tool.before', 'none'],
    ]);
  });

  test('control: a changed letter in the journal is detected', () => {
    const changed = join(scratch, `${version}.jsonl`);
    writeFileSync(changed, kept('session.jsonl').replace('"verdict":"deny"', '"verdict":"none"'));
    expect(verify(changed, at('session.head')).ok).toBe(false);
  });

  test('settings of an earlier version are read without problems and guard calls', async () => {
    const hooks = await ground({ [USER]: kept('hooks.json') }).open();
    const { verdict, reason } = await hooks.fire(call('git push --force'));
    expect([hooks.problems, verdict, reason]).toEqual([[], 'deny', expect.stringContaining('not today')]);
  });

  test('a hook trusted by an earlier version is still trusted and runs', async () => {
    const { hash } = JSON.parse(kept('trust.json')) as { hash: string };
    const file = `home/.local/share/anyhook/trust/${hash.replace('sha256:', '')}.json`;
    const runsWith = async (files: Readonly<Record<string, string>>) => {
      const hooks = await ground({ ...PROJECT, ...files }).open();
      const { runs } = await hooks.fire(call('ls'));
      return runs.some(({ hook, answer }) => hook.includes('.anyhook/') && answer !== undefined);
    };
    expect(readTrustRecord(kept('trust.json'), hash)?.version).toBe(1);
    expect(await runsWith({ [file]: kept('trust.json') })).toBe(true);
    // Control: without the record, or with a changed one, the hook waits for trust.
    expect(await runsWith({})).toBe(false);
    expect(await runsWith({ [file]: kept('trust.json').replace('guard.sh', 'other.sh') })).toBe(false);
  });
});
