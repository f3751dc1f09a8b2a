/** Checks that the JSON Schema for editors accepts the same settings as the reader. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../packages/anyhook/src/agents/anyhook/dialect/config.ts';
import * as events from '../packages/anyhook/src/events/events.ts';
import { hooksFile } from '../scripts/generate/hooks-schema.mjs';

const schema = hooksFile({ events });
const place = { layer: 'user', file: '/home/me/.config/anyhook/hooks.json', folder: '/home/me' } as const;
const problemsOf = (value: unknown) => readConfig(JSON.stringify(value), place).problems;

/** Settings in the pages about events. */
const PAGES = join(import.meta.dirname, '../docs/events');
const shown = readdirSync(PAGES)
  .flatMap((page) => [...readFileSync(join(PAGES, page), 'utf8').matchAll(/^```json\n(.*?)^```/gms)])
  .map(([, text]) => JSON.parse(text!) as object);

const hook = (entry: object, event = 'tool.before') => ({ hooks: { [event]: [entry] } });

describe('both take', () => {
  test.each<object>([
    {},
    { $schema: './hooks.schema.json', hooks: {}, hookPaths: ['./more.ts'], shadow: true },
    { disabled: ['a.json#1', { id: 'a.json#2', runs: 'guard.sh' }] },
    { order: ['anyhook', 'opta'], journal: { required: true, folder: '/var/log/anyhook' } },
    hook({ run: 'guard.sh' }),
    hook({ run: ['node', 'guard.mjs'], name: 'guard', match: 'shell(git push*)', cwd: '/srv' }),
    hook({ run: 'guard.sh', shell: 'bash', env: { LEVEL: '2' }, timeoutMs: 600_000, status: 'looking' }),
    hook({ run: 'log.sh', roles: ['observer'], background: true, shadow: true }),
    hook({ prompt: 'Is this safe?', onFailure: 'ask', match: '/^(shell|write)$/' }),
    hook({ run: 'guard.sh', match: 'shell(rm -rf*)', opaque: 'run' }),
    hook({ match: 'danger:delete' }),
    hook({ match: 'danger:delete, danger:secrets', opaque: 'block', name: 'keep' }),
    hook({ match: 'danger:publish', run: 'ask-me.sh' }),
    hook({ run: 'context.sh', match: '*' }, 'model.context'),
    hook({ match: 'shell', requires: { earlier: 'shell(npm test)', succeeded: true, since: 'last edit' } }),
    hook({ match: 'shell', limit: { times: 1, per: '1h', across: 'project' }, verdict: 'ask', name: 'once' }),
    hook({ match: 'fetch', forbid: { after: 'danger:secrets' }, reason: 'secrets were read', shadow: true }),
    ...shown,
    ...events.EVENT_NAMES.map((event) => hook({ run: 'x' }, event)),
  ])('schema and reader accept %j', (file) => {
    expect(problemsOf(file).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(schema.safeParse(file).error?.issues ?? []).toEqual([]);
  });
});

describe('both refuse', () => {
  test.each<object>([
    { hook: {} },
    { hooks: [] },
    { hooks: { 'tool.befor': [{ run: 'x' }] } },
    { hooks: { 'tool.before': { run: 'x' } } },
    { hookPaths: './more.ts' },
    { shadow: 'yes' },
    { order: [] },
    { journal: { required: 1 } },
    { journal: { path: '/var' } },
    { disabled: 'all' },
    { disabled: [{ runs: 'x' }] },
    { disabled: [{ id: 'x', because: 'y' }] },
    hook({}),
    hook({ match: 'shell' }),
    hook({ run: 'x', opaque: 'maybe' }),
    hook({ run: 'x', prompt: 'x' }),
    hook({ command: 'x' }),
    hook({ run: '' }),
    hook({ run: [] }),
    hook({ run: ['node', 1] }),
    hook({ run: 'x', name: ' ' }),
    hook({ run: 'x', match: 1 }),
    hook({ run: 'x', match: 'shell' }, 'model.context'),
    hook({ run: 'x', roles: [] }),
    hook({ run: 'x', roles: ['judge'] }),
    hook({ run: 'x', timeoutMs: 0 }),
    hook({ run: 'x', timeoutMs: 1.5 }),
    hook({ run: 'x', timeoutMs: 600_001 }),
    hook({ run: 'x', timeout: 10 }),
    hook({ run: 'x', onFailure: 'open' }),
    hook({ run: 'x', background: 1 }),
    hook({ run: 'x', env: { LEVEL: 2 } }),
    hook({ prompt: 'x', env: {} }),
    hook({ limit: { times: 1 } }, 'tool.after'),
    hook({ limit: { times: 1 }, run: 'x' }),
    hook({ limit: { times: 1 }, roles: ['observer'] }),
    hook({ limit: { times: 1.5 } }),
    hook({ limit: { per: '1h' } }),
    hook({ limit: { times: 1, per: '1 hour' } }),
    hook({ limit: { times: 1 }, verdict: 'allow' }),
    hook({ requires: { succeeded: true } }),
    hook({ requires: { earlier: 'shell', since: 'yesterday' } }),
    hook({ forbid: { after: 'fetch', before: 'edit' } }),
    hook({ run: 'x', reason: 'because' }),
    hook({ prompt: 'x', shell: 'bash' }),
  ])('schema and reader reject %j', (file) => {
    expect(problemsOf(file).filter(({ severity }) => severity === 'error')).not.toEqual([]);
    expect(schema.safeParse(file).success).toBe(false);
  });
});

describe('the keys the reader knows are those of the schema', () => {
  const STRANGE = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx';
  /** For an unknown key the reader lists all keys that it knows. */
  const knownIn = (file: object): string[] => {
    const remedies = problemsOf(file).map(({ remedy }) => /^Known: (.*)\.$/.exec(remedy ?? '')?.[1]);
    return remedies
      .find((known) => known !== undefined)!
      .split(', ')
      .toSorted();
  };
  test('the reader and the schema know the same keys in the file, in its journal and in every hook', () => {
    const { shape } = schema;
    expect(knownIn({ [STRANGE]: 1 })).toEqual(Object.keys(shape).toSorted());
    expect(knownIn({ journal: { [STRANGE]: 1 } })).toEqual(
      Object.keys(shape.journal.unwrap().shape).toSorted(),
    );
    const entries = shape.hooks.unwrap().shape['tool.before']!.unwrap().element.options;
    expect(knownIn(hook({ run: 'x', [STRANGE]: 1 }))).toEqual(
      [...new Set(entries.flatMap((entry: { shape: object }) => Object.keys(entry.shape)))].toSorted(),
    );
  });
});
