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

/** Dead links of a page. Ignores code and external URLs. */
function deadLinks(page: string, text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, to]) => to!)
    .filter((to) => !/^[a-z]+:/.test(to) && !existsSync(join(ROOT, dirname(page), to)))
    .map((to) => `${page}: ${to}`);
}

test('every link in the documentation has a target', () => {
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.flatMap((page) => deadLinks(page, readFileSync(join(ROOT, page), 'utf8')))).toEqual([]);
  expect(deadLinks('docs/index.md', 'See [this](gone.md#part), [that](concepts.md).')).toEqual([
    'docs/index.md: gone.md',
  ]);
});

test('every problem has the page that it links to', () => {
  const missing = [...new Set<string>(Object.values(PROBLEMS))].filter(
    (page) => !existsSync(join(ROOT, 'docs', `${page}.md`)),
  );
  expect(missing).toEqual([]);
});
