import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventTable, gapList } from './fixtures/page.ts';

const page = readFileSync(
  join(import.meta.dirname, '../../../../../../docs/dialects/claude-code.md'),
  'utf8',
);

test('the page prints the table of events as it is', () => expect(page).toContain(eventTable()));
test('the page prints every gap with its reason', () => expect(page).toContain(gapList()));
