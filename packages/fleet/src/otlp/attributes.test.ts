import { readFileSync } from 'node:fs';
import * as stable from '@opentelemetry/semantic-conventions';
import { expect, test } from 'vitest';
import {
  type Attribute,
  HOOK_ATTRIBUTES,
  PIECE_ATTRIBUTES,
  RECORD_ATTRIBUTES,
  RESOURCE_ATTRIBUTES,
} from './attributes.ts';
import { METRICS } from './metrics.ts';

const PAGE = readFileSync(new URL('../../../../docs/otlp.md', import.meta.url), 'utf8');
const rowsOf = (table: Readonly<Record<string, Attribute<never>>>) =>
  Object.entries(table).map(([name, { meaning }]) => `| \`${name}\` | ${meaning} |`);

test.each([
  ['Of the resource', rowsOf(RESOURCE_ATTRIBUTES)],
  ['Of the log and the span of a fire', rowsOf(RECORD_ATTRIBUTES)],
  ['Of every log', rowsOf(PIECE_ATTRIBUTES)],
  ['Of the span of a hook', rowsOf(HOOK_ATTRIBUTES)],
  [
    'The metrics',
    Object.entries(METRICS).map(
      ([name, { kind, meaning, by }]) =>
        `| \`${name}\` | ${kind === 'count' ? 'sum' : 'histogram, s'} | ${meaning} | ${by.map((one) => `\`${one}\``).join(', ')} |`,
    ),
  ],
])('the OTLP page lists exactly the attributes that are sent: %s', (title, rows) => {
  const [, found = ''] = PAGE.split(`\n## ${title}\n`);
  const table = found
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(table).toEqual(rows);
});

test('attributes without our prefix are stable names of OpenTelemetry', () => {
  const known = new Set<unknown>(Object.values(stable));
  const tables = [RESOURCE_ATTRIBUTES, RECORD_ATTRIBUTES, PIECE_ATTRIBUTES, HOOK_ATTRIBUTES, METRICS];
  const foreign = tables.flatMap(Object.keys).filter((name) => !name.startsWith('anyhook.'));
  expect(foreign.filter((name) => !known.has(name))).toEqual([]);
  expect(foreign).not.toEqual([]);
});

test('OpenTelemetry has no stable convention for GenAI; the table must adopt one as soon as it exists', () => {
  const names = Object.values(stable).filter((name) => typeof name === 'string');
  expect(names.filter((name) => name.startsWith('gen_ai.'))).toEqual([]);
});
