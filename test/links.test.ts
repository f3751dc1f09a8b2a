import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROBLEMS } from '../packages/anyhook/src/events/problems.ts';

const ROOT = join(import.meta.dirname, '..');
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** Links of a page that lead nowhere. Code is no prose, and addresses on the net are not ours to keep. */
function deadLinks(page: string, text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, to]) => to!)
    .filter((to) => !/^[a-z]+:/.test(to) && !existsSync(join(ROOT, dirname(page), to)))
    .map((to) => `${page}: ${to}`);
}

test('every link of the documentation leads somewhere', () => {
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.flatMap((page) => deadLinks(page, readFileSync(join(ROOT, page), 'utf8')))).toEqual([]);
  expect(deadLinks('docs/index.md', 'See [this](gone.md#part), [that](concepts.md).')).toEqual([
    'docs/index.md: gone.md',
  ]);
});

test('every problem has the page that it sends people to', () => {
  const missing = [...new Set<string>(Object.values(PROBLEMS))].filter(
    (page) => !existsSync(join(ROOT, 'docs', `${page}.md`)),
  );
  expect(missing).toEqual([]);
});
