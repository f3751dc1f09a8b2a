/**
 * Checks the document's list: small files, short functions, and separate files for service, execute, registry and
 * types.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const MAX_FILE = 175;
const MAX_FUNCTION = 25;

const FOLDERS = ['./', '../dialect/'].map((path) => new URL(path, import.meta.url));
const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !/\.test(\.kit)?\.ts$/.test(name))
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') })),
);

/** A function body starts at a line that opens a brace after parameters or an arrow, and ends at its closing brace. */
function longFunctions(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (
      !/(?:\)(?:: [^;]*)?|=>) \{$/.test(line) ||
      /^\s*\}? ?(?:if|for|while|else|try|catch|switch)\b/.test(line)
    )
      return [];
    const indent = /^\s*/.exec(line)![0];
    const length = lines.slice(at + 1).findIndex((next) => next.startsWith(`${indent}}`)) + 2;
    return length >= MAX_FUNCTION ? [`${line.trim()} (${length} lines)`] : [];
  });
}

describe('the checklist of the document', () => {
  test.each(files)('$name is under 175 lines, each of its functions under 25', ({ text }) => {
    expect(text.trimEnd().split('\n').length).toBeLessThan(MAX_FILE);
    expect(longFunctions(text)).toEqual([]);
  });

  test('service, execute, registry and types are separate files', () => {
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['service.ts', 'execute.ts', 'registry.ts', 'types.ts']),
    );
  });

  test('a callback is called in one place only, and events are only distinguished by tables', () => {
    const calls = files.filter(({ text }) => /[^#\w]callback\(/.test(text)).map(({ name }) => name);
    expect(calls.toSorted()).toEqual(['definition.ts', 'execute.ts']);
    const ladders = files
      .filter(({ text }) => /switch \(|=== '(?:Pre|Post)ToolUse'/.test(text))
      .map(({ name }) => name);
    expect(ladders).toEqual([]);
  });

  test('the size check detects a long function', () => {
    const long = [
      'export function long(a: number): number {',
      ...Array.from({ length: 30 }, () => '  a++;'),
      '}',
    ].join('\n');
    expect(longFunctions(long)).toEqual(['export function long(a: number): number { (32 lines)']);
    expect(longFunctions(`class A {\n  #b(): void {\n${'    x();\n'.repeat(30)}  }\n}`)).toHaveLength(1);
    expect(
      longFunctions(`  async b(\n    c: number,\n  ): Promise<void> {\n${'    x();\n'.repeat(30)}  }`),
    ).toHaveLength(1);
    expect(longFunctions(`const f = (a: number) => {\n${'  x();\n'.repeat(30)}};`)).toHaveLength(1);
  });
});
